"""The page of a report: what a program reads in it, and what a browser shows."""

import html.parser
import json

#: Whether there are places for plots, and all of them are drawn.
DRAWN = """(() => {
  const canvases = [...document.querySelectorAll('canvas')];
  return canvases.length > 0 && canvases.every((one) => {
    const blank = document.createElement('canvas');
    return one.toDataURL() !== Object.assign(blank, { width: one.width, height: one.height }).toDataURL();
  });
})()"""


class ReportPage(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        #: The titles of the places where plots are drawn, and the plots themselves.
        self.places, self.plots = [], []
        #: What the page would load from elsewhere.
        self.loaded = []
        self._is_data = False
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        self.loaded += [value for name, value in attributes if name in ("src", "href")]
        self._is_data = tag == "script" and ("type", "application/json") in attributes
        if tag == "canvas":
            self.places.append(dict(attributes)["aria-label"])

    def handle_data(self, data):
        if self._is_data:
            self.plots += json.loads(data)

    def handle_endtag(self, tag):
        self._is_data = False

    def assert_complete(self, case):
        """It has its plots, each with its place, and loads nothing."""
        case.assertEqual(self.loaded, [])
        case.assertGreater(len(self.plots), 0, "libjs-chart.js is installed")
        case.assertEqual([plot["title"] for plot in self.plots], self.places)
