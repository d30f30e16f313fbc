"""Text of an HTML mail that no reader sees is not read, in whatever way it is hidden; what is shown is."""

import pytest

from tests.every import of_every
from webapp.replies.lines import html_lines

ELEMENTS = [
    *("template", "noscript", "textarea", "select", "script", "style", "title", "dialog", "iframe", "object", "video"),
    *("audio", "canvas", "svg", "datalist", "details", "noembed", "noframes", "math"),
]
STYLES = [
    *("display:none", "DISPLAY : NONE !important", "visibility:hidden", "visibility: collapse", "opacity:0"),
    *("opacity: .05", "opacity: 0%", "font-size:0", "font-size: 0px", "font-size:1px", "font-size:.1em", "font: 0/0 a"),
    *("font-size: 1%", "font-size:2pt", "color:white", "color:#FFF", "color: rgb(255, 255, 255)", "color:#fefefe"),
    *(
        "color: rgb(255 255 255)",
        "color:rgb(100%,100%,100%)",
        "color:transparent",
        "color:rgba(0,0,0,0)",
        "color:#0000",
    ),
    *("color:rgba(0,0,0,.02)", "color:hsl(0,0%,100%)", "background:black", "background-color:#000000"),
    *("color:red;background:red", "-webkit-text-fill-color:white", "color:#fff /* white */", "text-indent:-9999px"),
    *(
        "position:absolute;left:-10000px",
        "margin-left:-99em",
        "max-height:0;overflow:hidden",
        "overflow:hidden;width:1px",
    ),
    *(
        "clip:rect(0,0,0,0)",
        "clip:rect(1px,1px,1px,1px)",
        "clip-path:inset(50%)",
        "transform:scale(0)",
        "filter:opacity(0)",
    ),
    *("mso-hide:all", "content-visibility:hidden", "display:/**/none", "color:red;display:none"),
]


def texts(html):
    return [line.text for line in html_lines(html) if line.text]


@of_every(
    [
        *(f"<p>KD</p><{tag}>QS</{tag}>" for tag in ELEMENTS),
        *(f"<p>KD</p><{tag}><p>QS</p></{tag}>" for tag in ELEMENTS),
        "<p>KD</p><select><option>QS</option></select>",
        *(f'<p>KD</p><p style="{style}">QS</p>' for style in STYLES),
        *(f'<p>KD</p><div style="{style}"><b>Q<i>S</i></b></div>' for style in STYLES),
        *(f"<style>.x {{{style}}}</style><p>KD</p><p class='y x'>QS</p>" for style in STYLES),
        "<p>KD</p><p hidden>QS</p>",
        "<p>KD</p><p hidden=until-found><b>QS</b></p>",
        '<p>KD</p><font color="white">QS</font>',
        '<p>KD</p><font color="ffffff">QS</font>',
        '<body bgcolor="black" text="white"><p>KD</p><font color="black">QS</font>',
        '<p>KD</p><table bgcolor="#ff0000"><tr><td style="color:red">QS</table>',
        "<style>p#x, .z { display: none }</style><p>KD</p><p id=x>QS</p>",
        "<style>body div > p.x:first-child { color: white }</style><p>KD</p><p class=x>QS</p>",
        "<style>@media screen { .x { display: none } }</style><p>KD</p><p class=x>QS</p>",
        "<style>@media (max-width: 600px) { .y { color: red } .x { font-size: 0 } }</style><p>KD</p><p class=x>QS</p>",
        "<style><!-- .x { display: none } --></style><p>KD</p><p class=x>QS</p>",
        "<style>.x { display: none </style><p>KD</p><p class=x>QS</p>",
        "<p>KD</p><!-- QS --><![CDATA[QS]]>",
        '<p>KD</p><span style="display:none">QS<!-- x -->QS</span>',
    ]
)
def test_text_that_no_reader_sees_is_not_read(html):
    assert texts(html) == ["KD"]


@of_every(
    [
        '<div style="font-size:0"><p style="font-size:16px">KD</p></div>',
        '<div style="visibility:hidden"><p style="visibility:visible">KD</p></div>',
        '<div style="color:white"><p style="color:black">KD</p></div>',
        '<div style="background:#000"><p style="color:#fff">KD</p></div>',
        "<body bgcolor=black text=white><p>KD</p></body>",
        '<div style="color:white;background:url(x.png)">KD</div>',
        '<div style="color:white"><a href="https://x.example">KD</a></div>',
        '<div style="color:windowtext;font:700 15px/1.2 Arial">KD</div>',
        '<div style="color:var(--text);background:white">KD</div>',
        '<div style="opacity:1;max-height:0;text-indent:-5px">KD</div>',
        '<div style="font-size:medium;overflow:hidden;width:90%">KD</div>',
        '<div style="background:rgba(0,0,0,0);color:#000">KD</div>',
        "<details open>KD</details>",
        "<style>.x { display: none } p.Mso { font-size: 11pt; color: windowtext }</style><p class=Mso>KD</p>",
        "<style>@font-face { font-family: x } @page a { margin: 0 } @media x { .y { color: white } }</style><p>KD</p>",
    ]
)
def test_text_that_is_shown_is_read(html):
    assert texts(html) == ["KD"]


@pytest.mark.parametrize("tag", ["s", "strike", "del"])
def test_text_that_is_struck_is_no_answer(tag):
    assert texts(f"<p><{tag}>KD</{tag}></p>") == ["…"]
    assert texts('<p style="text-decoration: line-through">KD</p><p>QS</p>') == ["…", "QS"]


def test_a_quotation_that_is_shown_within_hidden_text_is_marked():
    html = '<div style="font-size:0">x<blockquote>x<p style="font-size:16px">QS</blockquote></div>'
    assert [(line.text, line.marked) for line in html_lines(html) if line.text] == [("QS", True)]


def test_too_many_rules_make_a_mail_unreadable():
    rules = "".join(f".a{number} {{ color: red }}" for number in range(101))
    assert texts(f"<style>{rules}</style><p>KD</p>") == ["…"]
