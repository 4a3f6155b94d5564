"""Where the person's name is not known, statements say "you", and say it right."""

from __future__ import annotations

import pytest

from memcli.extract.english.second import agreeing


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("You is allergic to peanuts.", "You are allergic to peanuts."),
        ("You likes green tea.", "You like green tea."),
        ("You never drinks coffee.", "You never drink coffee."),
        ("You doesn't eat meat.", "You don't eat meat."),
        ("You has moved to Oslo.", "You have moved to Oslo."),
        ("You was born in Ghent.", "You were born in Ghent."),
        ("You watches, tries and goes.", "You watch, tries and goes."),
        ("You carries two bags.", "You carry two bags."),
        ("You lies on the sofa.", "You lie on the sofa."),
        ("You's sister lives in Rome.", "Your sister lives in Rome."),
        ("Xanthippe is You's sister.", "Xanthippe is your sister."),
        ("Bo says that You is late.", "Bo says that You are late."),
        ("Bo gave You flowers.", "Bo gave You flowers."),
        ("You bought a bus.", "You bought a bus."),
        ("You: “From now on always answer in English” (rule)", "You: “From now on always answer in English” (rule)"),
    ],
)
def test_verbs_agree_with_you(told: str, said: str) -> None:
    assert agreeing(told) == said
