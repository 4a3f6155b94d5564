"""Documents made by hand, for tests that need one and have no sample."""

from __future__ import annotations


def pdf(words: str) -> bytes:
    """A PDF of one page."""
    return pdf_of(f"BT /F 9 Tf ({words}) Tj ET".encode())


def pdf_of(content: bytes) -> bytes:
    """A PDF of one page that is drawn by these operators."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    data = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj%s endobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    start = len(data)
    data += b"xref\n0 6\n0000000000 65535 f \n" + table
    return data + b"trailer<</Root 1 0 R/Size 6>>\nstartxref\n%d\n%%%%EOF" % start


PAGE = (
    b"<!doctype html><html><head><title>Shed</title><style>p{}</style></head><body><h1>Paint</h1><p>Two&nbsp;coats"
    b"<ul><li>a<li>b</ul><pre> x\n  y</pre><!-- z --><![CDATA[ q ]]></body></html>"
)
ACTIVITY = (
    '<div class="outer-cell"><p class="mdl-typography--title">Gemini Apps<br></p>'
    '<div class="content-cell mdl-typography--body-1">Prompted\xa0What?<br>'
    "Mar 2, 2026, 9:15:00\u202fAM GMT+5:30<br>"
    '<p>That.</p></div><div class="content-cell">x</div></div>'
).encode()
