"""Words that stand before a noun and tell what sort of thing it is there."""

from __future__ import annotations

from dreamd.domain.prose.words import words

DEFINITE = {
    "en": words("the my our your his her their"),
    "de": words("der die das mein meine unser unsere"),
    "fr": words("le la les l mon ma notre"),
    "es": words("el la lo los las mío nuestro nuestra"),
    "it": words("il lo la i gli le"),
    "pt": words("o os a as"),
    "nl": words("de het"),
}
ARTICLES = {
    "en": words("a an"),
    "de": words("ein eine einen einem einer"),
    "fr": words("un une"),
    "es": words("un una"),
    "it": words("un una uno"),
    "pt": words("um uma"),
    "nl": words("een"),
}
OBJECTS = words(  # "ihren" and "den" may be of many to whom something is done, too
    "den dem einen einem meinen meinem unseren unserem deinen deinem seinen seinem ihren ihrem "
    "keinen keinem diesen diesem jeden"
)
TITLES = words("frau herr herrn familie dr mr mrs ms mme")
