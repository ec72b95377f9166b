"""The dashboard's search for a push, in a real browser: by the request or the CloudEvent that brought it."""

import json
import unittest
import urllib.parse

from admin import ask
from browser import Browser
from store_case import *
from support import bearer
from test_publish_http import ELF, PATH, TOKEN, PublishCase

EVENT = {"specversion": "1.0", "id": "1 &?", "source": "/cms?a=b", "type": "t", "data": HEALING}
CREDENTIAL = entry(TOKEN)["id"]


class FoundPushes(PublishCase):
    def setUp(self):
        super().setUp()
        browser = Browser()
        self.addCleanup(browser.close)
        self.device("d-1", ELF)
        self.pushes(Idempotency_Key="order 17")
        self.pushes(EVENT, Content_Type="application/cloudevents+json")
        path = ask(self.router, "/v1/links", "POST", headers=bearer()).json["path"]
        self.page = browser.open("about:blank")
        self.page.call("Page.navigate", url="http://{}:{}{}".format(*self.router.admin, path))
        self.page.wait_for("document.getElementById('link')?.dataset.state === 'live'")

    def search(self, **names):
        """Fills the form in, and nothing else, and submits it."""
        self.page.evaluate(f"""(() => {{
          const names = {json.dumps(names)};
          const form = document.querySelector('details form');
          for (const input of form.querySelectorAll('input')) input.value = names[input.name] ?? '';
          document.querySelector('h1').dataset.isOld = 'yes';
          form.requestSubmit();
        }})()""")
        self.page.wait_for("!document.querySelector('h1').dataset.isOld")

    def shown(self):
        """The pushes in the list, as producer and number; none while it is hidden."""
        return self.page.evaluate("[...document.querySelectorAll('section:not([hidden]) > .table tbody tr')]"
                                  ".map((row) => [row.cells[1].innerText, Number(row.cells[0].innerText)])")

    def wait_for(self, *pushes):
        wait_until(lambda: self.shown() == [list(push) for push in pushes], f"{pushes} are shown")

    def test_a_push_is_found_by_its_key_or_its_event(self):
        self.page.evaluate(f"location.hash = '#/apps/{APP}'")
        self.page.wait_for("document.querySelector('.line a[href*=pushes]')")
        self.page.click(".line a[href*=pushes]")
        self.wait_for(("(http)", 2), ("(http)", 1))
        self.search(key="order 17", credential=CREDENTIAL)
        self.wait_for(("(http)", 1))
        self.assertEqual(self.page.text("h1"), "Pushes found")
        self.search(source=EVENT["source"], id=EVENT["id"], credential=CREDENTIAL)
        self.wait_for(("(http)", 2))
        # The address alone leads there, too, and the form has what it says.
        self.page.call("Page.reload")
        self.wait_for(("(http)", 2))
        given = "Object.fromEntries([...document.querySelectorAll('form input')].map((one) => [one.name, one.value]))"
        self.assertEqual(self.page.evaluate(f"(({{ source, id, key }}) => [source, id, key])({given})"),
                         [EVENT["source"], EVENT["id"], ""])
        self.page.click("tbody a")
        self.page.wait_for("document.querySelector('h1').innerText === 'Push 2 of (http)'")
        self.page.wait_for("document.querySelector('.lead').innerText.includes('matched 1 widget')")
        self.page.evaluate("history.back()")
        self.wait_for(("(http)", 2))
        self.page.click(".path a[href*=pushes]")
        self.wait_for(("(http)", 2), ("(http)", 1))
        self.assertEqual(self.page.text("h1"), "Last pushes")

    def test_what_is_not_found_is_said_as_the_router_says_it(self):
        self.page.evaluate(f"location.hash = '#/pushes/{APP}'")
        self.wait_for(("(http)", 2), ("(http)", 1))
        for names, code in (({"key": "order 18", "credential": CREDENTIAL}, "push-unknown"),
                            ({"key": "order 17"}, "push-unknown"),
                            ({"source": "/cms"}, "parameter-invalid"),
                            ({"key": "k", "source": "s", "id": "1"}, "parameter-invalid")):
            self.search(**names)
            answer = ask(self.router, f"/v1/apps/{APP}/pushes?{urllib.parse.urlencode(names)}")
            self.assertEqual(answer.problem["code"], code)
            detail = answer.problem["detail"]
            self.page.wait_for(f"document.querySelector('[role=status].empty').innerText === {json.dumps(detail)}")
            self.assertEqual(self.shown(), [])


if __name__ == "__main__":
    unittest.main()
