def answer(scene, sentence, tokens):
    return None
