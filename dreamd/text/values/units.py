"""Units, months and small numbers, as English spells them."""

from __future__ import annotations

from dreamd.text.values.value import listed

_SPELLINGS = (
    *("% percent pct", "$ us$ usd dollars dollar bucks", "€ eur euros euro", "£ gbp pounds pound"),
    *("¥ jpy yen", "b bytes byte", "kb kilobytes kilobyte", "mb megabytes megabyte", "kib", "mib"),
    *("gb gigabytes gigabyte gig gigs", "gib", "tb terabytes terabyte", "tib"),
    *("ms msec milliseconds millisecond millis", "µs microseconds microsecond"),
    *("ns nanoseconds nanosecond", "s sec secs seconds second", "min mins minutes minute"),
    *("h hr hrs hours hour", "days day d", "weeks week wk wks", "months month mo"),
    *("years year yr yrs", "km kilometers kilometres kilometer kilometre", "mi miles mile"),
    *("m meters metres meter metre", "cm centimeters centimetres", "mm millimeters millimetres"),
    *("kg kilograms kilogram kilos kilo", "g grams gram", "mg milligrams", "lb lbs"),
    *(
        "l liters litres liter litre",
        "ml milliliters millilitres",
        "px pixels pixel",
        "x \u00d7 times",
    ),
    *("°c celsius", "°f fahrenheit", "hz", "khz", "mhz", "ghz", "w watts", "kw", "kwh"),
    *("rps", "qps", "mbps", "gbps", "fps", "lines line", "people persons person"),
)
UNITS = {spelling: row.split()[0] for row in _SPELLINGS for spelling in row.split() if row}
del UNITS["b"]  # `5b` is five billion

NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        listed(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
            " fifteen sixteen seventeen eighteen nineteen twenty"
        )
    )
}
ORDINALS = listed("first second third fourth fifth sixth seventh eighth ninth tenth")
