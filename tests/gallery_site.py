"""The gallery for work on mails and pages: each in every state, at one address, rendered at each request.

    make gallery

Reload after changing a template, a style or a sample. `tests.gallery` takes pictures for a review.
"""

import re

from flask import Flask, Response, abort, render_template_string, request

from tests.gallery import mail_html, mail_text, page_html
from tests.samples.mails import mails
from tests.samples.pages import pages
from tests.samples.rendering import ROOT
from worker.mail import mail_templates

STATIC = ROOT / "webapp" / "static"
mail_templates().auto_reload = True
app = Flask(__name__, static_folder=str(STATIC), static_url_path="/static")
INDEX = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Gallery</title>
<style>
body { font: 16px/1.5 sans-serif; margin: 1rem; }
.shown { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: 0; } iframe { width: 360px; height: 560px; border: 1px solid #999; }
.wide { width: 900px; }
nav a { margin-right: .6rem; white-space: nowrap; }
</style>
<h1>Gallery</h1>
<form><label>Names with <input name="with" value="{{ wanted }}"></label>
<label><input type="checkbox" name="wide" value="1"{{ ' checked' if wide }}> on a desk, too</label>
<button>Show</button></form>
<nav>{% for name in names %}<a href="?with={{ name }}">{{ name }}</a> {% endfor %}</nav>
{% for name in shown %}
<h2 id="{{ name }}">{{ name }}</h2>
<p><a href="/{{ name }}">alone</a>
{% if name.startswith('mail-') %} · <a href="/{{ name }}.txt">as plain text</a>{% endif %}</p>
<div class="shown">
<iframe loading="lazy" title="{{ name }}, light" src="/{{ name }}"></iframe>
<iframe loading="lazy" title="{{ name }}, dark" src="/{{ name }}?dark=1"></iframe>
{% if wide %}<iframe loading="lazy" title="{{ name }}, on a desk" src="/{{ name }}" class="wide"></iframe>{% endif %}
</div>
{% endfor %}
</html>"""


@app.get("/")
def index() -> str:
    """Mails first; `?with=turn` shows only those with that in their name."""
    names = [*(f"mail-{name}" for name in mails()), *(f"page-{name}" for name in pages())]
    wanted = request.args.get("with", "mail-")
    shown = [name for name in names if wanted in name]
    return render_template_string(INDEX, names=names, shown=shown, wanted=wanted, wide=request.args.get("wide"))


@app.get("/mail-<name>")
def mail(name: str) -> str:
    return _as_asked(mail_html(mails().get(name) or abort(404)))


@app.get("/mail-<name>.txt")
def mail_as_text(name: str) -> Response:
    return Response(mail_text(mails().get(name) or abort(404)), mimetype="text/plain")


@app.get("/page-<name>")
def page(name: str) -> str:
    return _as_asked(page_html(pages().get(name) or abort(404)))


@app.route("/<path:page>/<any(now, here):what>", methods=["GET", "POST"])
def unchanged(page: str, what: str) -> dict[str, str | None]:
    """Tells a shown page which follows its game that nothing has happened since."""
    found = re.search(r"/page-([\w-]+)", request.referrer or "") or abort(404)
    follows = re.search(r'data-version="([^"]*)"', page_html(pages().get(found[1]) or abort(404))) or abort(404)
    return {"version": follows[1], "left": None}


@app.get("/dark/<name>.css")
def dark_style(name: str) -> Response:
    return Response(_darkened((STATIC / f"{name}.css").read_text()), mimetype="text/css")


def _as_asked(html: str) -> str:
    """With `?dark=1` the page is dark, whatever this browser prefers."""
    if not request.args.get("dark"):
        return html
    return _darkened(html).replace('href="/static/style.css', 'href="/dark/style.css')


def _darkened(style: str) -> str:
    style = style.replace("color-scheme: light dark;", "color-scheme: dark;")
    return re.sub(r"(screen and )?\(prefers-color-scheme: dark\)", "all", style)
