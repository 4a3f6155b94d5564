def labelled(scene, line):
    return None
def fragments(scene, line, rest):
    return []
def details(scene, line, rest):
    return []
