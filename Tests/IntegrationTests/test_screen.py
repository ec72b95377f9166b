"""A device whose widgets run, in a real browser: a potion changes the right widget."""

import json
import pathlib
import subprocess
import unittest

from browser import WATCH_FLASHES, Browser
from support import CHECKOUT, RouterCase, clean_environment, command, lab, lab_binary

GAME = CHECKOUT / "deploy" / "examples" / "game" / "apps.json"


class ScreenTests(RouterCase):
    def open_device(self, *widgets, app="com.mygame", **options):
        router = self.start(apps=json.loads(pathlib.Path(GAME).read_text()))
        arguments = ["screen", "--to", router.to, "--app", app,
                     "--token", "game-device-example-token", "--device", "anna-phone",
                     "--page", "127.0.0.1:0"]
        for widget in widgets:
            arguments += ["--widget", widget]
        process = subprocess.Popen([lab_binary(), *arguments], stdout=subprocess.PIPE, text=True,
                                   env=clean_environment())
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        line = process.stdout.readline()
        url = next(word for word in line.split() if word.startswith("http"))
        return router, process, url

    def push(self, router, payload):
        done = command("push", "--to", router.to, "--app", "com.mygame",
                       "--token", "game-publisher-example-token", json.dumps(payload))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_potion_changes_the_widget_of_its_character_and_no_other(self):
        router, _, url = self.open_device(
            "com.mygame.character-detail:elf:character=elf-42",
            "com.mygame.character-detail:orc:character=orc-7",
            "com.mygame.guild-wall:guild:guild=iron-wolves")
        browser = Browser()
        self.addCleanup(browser.close)
        page = browser.open(url, waits_for="document.body.innerText.includes('posts')")
        text = "document.querySelector('[data-widget=\"%s\"]').innerText"
        others = [page.evaluate(text % name) for name in ("orc", "guild")]
        self.assertNotIn("77 %", page.evaluate(text % "elf"))
        page.evaluate(WATCH_FLASHES)
        self.push(router, {"event": "healing-potion", "character": "elf-42", "hp": 77,
                           "amount": 25})
        page.wait_for(f"{text % 'elf'}.includes('77 %')")
        page.wait_for("seenFlashes.elf", "the widget flashes")
        self.assertEqual(page.evaluate("seenFlashes.elf[2]"), "push")
        # A character is full at 100 %, which ticks; the guild's wall does not.
        self.assertEqual(page.evaluate(text % "orc").split("\n")[:2], others[0].split("\n")[:2])
        self.assertEqual(page.evaluate(text % "guild"), others[1])
        self.assertEqual(page.evaluate("Object.keys(seenFlashes)"), ["elf"])

    def test_what_its_owner_does_on_the_page_reaches_the_router(self):
        router, _, url = self.open_device("com.mygame.character-detail:elf:character=elf-42")
        browser = Browser()
        self.addCleanup(browser.close)
        page = browser.open(url, waits_for="document.body.innerText.includes('elf-42')")
        page.evaluate("fetch('/online?value=false', {method: 'POST'})")
        page.wait_for("document.body.innerText.toLowerCase().includes('offline')")
        self.push(router, {"event": "healing-potion", "character": "elf-42", "hp": 95,
                           "amount": 1})
        page.evaluate("fetch('/online?value=true', {method: 'POST'})")
        page.wait_for("document.body.innerText.includes('95 %')")
        # A date of which less than an hour is left shows seconds, and ticks by itself.
        sight = "document.body.innerText.match(/Full in [^]*? sec/)"
        page.wait_for(sight)
        first = page.evaluate(f"{sight}[0]")
        page.wait_for(f"{sight} && {sight}[0] !== {json.dumps(first)}")

    def test_what_has_no_widgets_is_refused_with_a_sentence(self):
        done = lab("screen", "--app", "com.other", "--device", "d",
                       "--widget", "k:w1")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("com.mygame", done.stderr)
        done = lab("screen", "--app", "com.mygame", "--device", "d",
                       "--widget", "com.mygame.no-such:w1", "--page", "127.0.0.1:0")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("there is no widget \"com.mygame.no-such\"", done.stderr)
        done = lab("screen", "--app", "com.mygame", "--device", "d",
                       "--widget", "com.mygame.guild-wall:w1", "--page", "192.0.2.1:80")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("--page is 192.0.2.1:80", done.stderr)


if __name__ == "__main__":
    unittest.main()
