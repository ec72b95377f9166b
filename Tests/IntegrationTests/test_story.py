"""The main job: a push in, and only the matching widgets of the matching devices reloaded."""

import time
import unittest

from support import *


class HealingPotion(RouterCase):
    def test_one_push_reloads_only_the_right_widget_of_the_right_device(self):
        """Three devices show three characters; the push about one of them reaches one widget."""
        elf = self.device("anna", widget("w1", character="elf-42"), widget("w2", BOARD))
        orc = self.device("ben", widget("w1", character="orc-7"))
        mage = self.device("cleo", widget("w1", character="mage-3"))
        self.assertEqual(self.publisher().pushed(HEALING), 1)
        reloads = elf.reloads()
        self.assertEqual([r.json for r in reloads], [
            {"device": "anna", "kinds": [DETAIL], "widgets": ["w1"], "cause": "push"}])
        self.assertGreater(reloads[0].seq, 0)
        self.assertEqual(orc.reloads(), [])
        self.assertEqual(mage.reloads(), [])

    def test_all_matching_kinds_and_widgets_of_a_device_come_in_one_reload(self):
        """Every match is collected, not the first; the widgets that do not match stay out."""
        device = self.device(
            "d-1", widget("w1", character="elf-42"), widget("w2", PARTY, member="elf-42"),
            widget("w3", character="elf-42"), widget("w4", PARTY, member="orc-7"),
            widget("w5", BOARD))
        self.assertEqual(self.publisher().pushed(HEALING), 3)
        reloads = device.reloads()
        self.assertEqual(len(reloads), 1)
        self.assertEqual(sorted(reloads[0].json["widgets"]), ["w1", "w2", "w3"])
        self.assertEqual(sorted(reloads[0].json["kinds"]), sorted([DETAIL, PARTY]))

    def test_an_urgent_push_reaches_the_same_widgets(self):
        """The urgent flag changes the order of work and not who is reloaded."""
        device = self.device("d-1", widget("w1", character="elf-42"))
        self.assertEqual(self.publisher().pushed(HEALING, flags=URGENT), 1)
        self.assertEqual(device.reloaded(), [("d-1", "w1")])

    def test_a_push_of_another_app_reaches_no_device(self):
        """Apps do not see each other's widgets, even of the same device name."""
        device = self.device("d-1", widget("w1", character="elf-42"))
        other = self.publisher(app="com.other")
        self.assertEqual(other.pushed(HEALING), 0)
        self.assertEqual(device.reloads(), [])

    def test_widgets_replaces_the_list_of_the_device(self):
        """What the latest WIDGETS does not list is gone; what it lists anew matches from then."""
        device = self.device("d-1", widget("w1", character="elf-42"))
        device.register(widget("w2", character="orc-7"))
        publisher = self.publisher()
        self.assertEqual(publisher.pushed(HEALING), 0)
        self.assertEqual(publisher.pushed(HEALING | {"character": "orc-7"}), 1)
        self.assertEqual(device.reloaded(), [("d-1", "w2")])
        device.register()
        self.assertEqual(publisher.pushed(HEALING | {"character": "orc-7"}), 0)

    def test_it_works_over_ipv4_and_ipv6(self):
        """localhost:0 listens on both loopbacks, on the same port."""
        router = self.start(listen="localhost:0")
        wait_until(lambda: router._is_listening() and len(router.addresses) == 2, "two addresses")
        hosts = {host for host, _ in router.addresses}
        self.assertEqual(hosts, {"127.0.0.1", "::1"})
        self.assertEqual(len({port for _, port in router.addresses}), 1)
        six, four = sorted(router.addresses, key=lambda a: ":" not in a[0])
        device = self.device("d-1", widget("w1", character="elf-42"), address=six)
        self.assertEqual(self.publisher(address=four).pushed(HEALING), 1)
        self.assertEqual(device.reloaded(), [("d-1", "w1")])


class Matching(RouterCase):
    def matches(self, entry, *payloads):
        """Which of the payloads reach the widget, by the matched count and by its RELOADs."""
        name = f"d-{len(self.clients)}"
        device = self.device(name, entry)
        publisher = self.publisher(f"producer-{name}")
        found = []
        for payload in payloads:
            matched = publisher.pushed(payload)
            self.assertEqual(len(device.reloads()), matched, payload)
            found.append(bool(matched))
        device.register()
        return found

    def test_a_push_may_be_narrowed_to_kinds(self):
        """That leaves out the other kinds, and reaches static widgets by name."""
        device = self.device(
            "d-1", widget("w1", character="elf-42"), widget("w2", PARTY, member="elf-42"),
            widget("w3", BOARD))
        publisher = self.publisher()
        for kinds, widgets in (
            ([DETAIL], ["w1"]), ([PARTY], ["w2"]), ([BOARD], ["w3"]), ([], []),
            ([DETAIL, BOARD], ["w1", "w3"]), (["com.mygame.no-such"], []),
        ):
            with self.subTest(kinds=kinds):
                self.assertEqual(publisher.pushed(HEALING, kinds=kinds), len(widgets))
                self.assertEqual(device.reloaded(), [("d-1", w) for w in widgets])

    def test_a_list_in_the_configuration_or_the_payload_means_any_of(self):
        """Lists match if any element does; an empty list matches nothing."""
        several = widget("w", character=["elf-42", "orc-7"])
        self.assertEqual(
            self.matches(several, {"character": "elf-42"}, {"character": "orc-7"},
                         {"character": "mage-3"}, {"character": ["mage-3", "orc-7"]},
                         {"character": []}, {}),
            [True, True, False, True, False, False])
        self.assertEqual(self.matches(widget("w", character=[]), HEALING), [False])

    def test_a_widget_that_matches_twice_is_counted_once(self):
        """Two values of one widget that both match are one match and one reload."""
        device = self.device("d-1", widget("w", character=["elf-42", "orc-7"]))
        self.assertEqual(self.publisher().pushed({"character": ["orc-7", "elf-42"]}), 1)
        self.assertEqual(device.reloaded(), [("d-1", "w")])

    def test_a_rule_ands_its_fields_and_fixes_values(self):
        """The dragon rule wants the event by its value and the region by the widget's own."""
        self.assertEqual(
            self.matches(widget("w", DRAGON, region="north"),
                         {"event": "dragon", "region": "north"},
                         {"event": "dragon", "region": "south"},
                         {"event": "rain", "region": "north"}, {"region": "north"}),
            [True, False, False, False])

    def test_without_a_rule_every_parameter_must_equal_the_payloads_field(self):
        """The default rule: all parameters by name; none at all is reached by name only."""
        both = widget("w", GUILD, guild="red", rank=3)
        self.assertEqual(
            self.matches(both, {"guild": "red", "rank": 3}, {"guild": "red"},
                         {"guild": "red", "rank": 4}, {"guild": "red", "rank": "3"},
                         {"guild": "red", "rank": 3.0, "more": True}, {"rank": 3}),
            [True, False, False, False, True, False])
        self.assertEqual(
            self.matches(widget("w", BOARD), HEALING, {}, {"kinds": [BOARD]}),
            [False, False, False])

    def test_numbers_compare_by_value_and_types_matter(self):
        """30 is 30.0 and 3e1; it is not "30"; true is not 1."""
        self.assertEqual(
            self.matches(widget("w", GUILD, guild=30), b'{"guild":30}', b'{"guild":30.0}',
                         b'{"guild":3e1}', b'{"guild":"30"}', b'{"guild":30.000000000000000001}'),
            [True, True, True, False, False])
        self.assertEqual(
            self.matches(widget("w", GUILD, guild=True), {"guild": True}, {"guild": 1},
                         {"guild": "true"}, {"guild": False}),
            [True, False, False, False])

    def test_escapes_in_strings_are_the_characters_they_stand_for(self):
        r"""A string written with \u escapes matches the same string written plainly."""
        self.assertEqual(
            self.matches(widget("w", GUILD, guild="Grüße \U0001f9ea/\n"),
                         '{"guild":"Grüße \U0001f9ea/\\n"}'.encode(),
                         b'{"guild":"Gr\\u00fc\\u00dfe \\ud83e\\uddea\\/\\u000a"}',
                         b'{"\\u0067uild":"Gr\\u00fc\\u00dfe \\ud83e\\uddea\\/\\u000A"}'),
            [True, True, True])

    def test_a_rule_reads_nested_fields(self):
        """A nested object in a rule is a path into the payload."""
        apps = {"apps": [{"app": APP, **ACCESS, "kinds": [
            {"kind": DETAIL, "budget": "unlimited", "match": {"hero": {"id": ["${configuration.character}", 7]}}}]}]}
        router = self.start(apps=apps)
        device = self.device("d-1", widget("w", character="elf-42"), router=router)
        publisher = self.publisher(router=router)
        for payload, matched in (
            ({"hero": {"id": "elf-42"}}, 1), ({"hero": {"id": 7}}, 1), ({"id": "elf-42"}, 0),
            ({"hero": "elf-42"}, 0), ({"hero": {"id": {"id": "elf-42"}}}, 0),
        ):
            with self.subTest(payload=payload):
                self.assertEqual(publisher.pushed(payload), matched)
                self.assertEqual(len(device.reloads()), matched)


class RequestsAndTimelines(RouterCase):
    def test_request_reloads_by_kind_or_all(self):
        """REQUEST is reloadTimelines(ofKind:), and without a kind reloadAllTimelines()."""
        device = self.device(
            "d-1", widget("w1", character="a"), widget("w2", character="b"), widget("w3", BOARD))
        device.request(REQUEST, {"device": "d-1", "kind": DETAIL})
        first = device.reloads()
        self.assertEqual([r.json["cause"] for r in first], ["request"])
        self.assertEqual(sorted(first[0].json["widgets"]), ["w1", "w2"])
        device.request(REQUEST, {"device": "d-1"})
        self.assertEqual(device.reloaded(), [("d-1", w) for w in ("w1", "w2", "w3")])
        device.request(REQUEST, {"device": "d-1", "kind": PARTY})
        self.assertEqual(device.reloads(), [])

    def timeline(self, device, policy, widget="w1", entries=None):
        return device.request(TIMELINE, {
            "device": "d-1", "widget": widget, "policy": policy,
            "entries": [now_ms()] if entries is None else entries})

    def test_after_a_date_is_scheduled_and_reloaded_at_that_date(self):
        """TIMELINE after(date) is answered with SCHEDULED, and with RELOAD at that date."""
        device = self.device("d-1", widget("w1", character="a"), widget("w2", BOARD))
        # Far enough ahead for a slow machine, on which the timeline comes late.
        date = now_ms() + 1_000
        seq = self.timeline(device, {"after": date})
        scheduled = device.expect(SCHEDULED)
        self.assertEqual(scheduled.seq, seq)
        self.assertEqual(
            scheduled.json, {"device": "d-1", "widget": "w1", "reloadAt": date, "slotDelay": 0})
        reload = device.expect(RELOAD)
        self.assertGreaterEqual(now_ms() - date, -2)
        self.assertEqual(reload.json, {
            "device": "d-1", "kinds": [DETAIL], "widgets": ["w1"], "cause": "after"})

    def test_a_later_timeline_replaces_the_date(self):
        """Only the latest timeline's date counts, whether it is earlier, later or never."""
        device = self.device("d-1", *(widget(f"w{i}", character="a") for i in (1, 2, 3)))
        near, far = now_ms() + 500, now_ms() + 3_600_000
        # In one write: on a slow machine a date could come between two.
        device.send_raw(b"".join(
            frame(TIMELINE, device.seq + number, {
                "device": "d-1", "widget": widget, "policy": policy, "entries": [now_ms()]})
            for number, (widget, policy) in enumerate((
                ("w1", {"after": near}), ("w1", "never"), ("w2", {"after": near}), ("w2", "atEnd"),
                ("w3", {"after": far}), ("w3", {"after": near})), 1)))
        self.assertEqual(device.expect(RELOAD).json["widgets"], ["w3"])
        wait_until(lambda: now_ms() > near + 100, "the dates have passed")
        self.assertEqual(device.reloads(), [])

    def test_a_date_in_the_past_is_due_at_once(self):
        """after(a past date) reloads without delay."""
        device = self.device("d-1", widget("w1", character="a"))
        self.timeline(device, {"after": now_ms() - 10_000})
        self.assertEqual(device.expect(RELOAD).json["cause"], "after")

    def test_a_date_that_passes_while_the_device_is_away_is_made_up_for(self):
        """The reload of a date is kept for the device's next session."""
        device = self.device("d-1", widget("w1", character="a"))
        date = now_ms() + 150
        self.timeline(device, {"after": date})
        device.close()
        wait_until(lambda: now_ms() > date + 50, "the date has passed")
        self.assertEqual(self.device("d-1").expect(RELOAD).json["cause"], "after")

    def test_state_is_accepted(self):
        """STATE with every member, and with some, is acknowledged."""
        device = self.device("d-1", widget("w1", character="a"))
        device.request(STATE, {"device": "d-1", "foreground": True, "media": "audio",
                               "visible": ["w1"], "location": "significant-change"})
        device.request(STATE, {"device": "d-1", "media": None})
        device.request(STATE, {"device": "d-1", "visible": []})

    def test_an_expired_push_reloads_nothing(self):
        """A push after its date is accepted and matches nothing; before it, it works."""
        device = self.device("d-1", widget("w1", character="elf-42"))
        publisher = self.publisher()
        self.assertEqual(publisher.pushed(HEALING, void_at=now_ms() - 1), 0)
        self.assertEqual(device.reloads(), [])
        self.assertEqual(publisher.pushed(HEALING, void_at=now_ms() + 60_000), 1)
        self.assertEqual(publisher.pushed(HEALING, void_at=253_402_300_799_999, flags=URGENT), 1)
        self.assertEqual(len(device.reloads()), 2)

    def test_a_push_that_expires_while_the_device_is_away_is_dropped(self):
        """A reload that is out of date is not sent when the device comes back."""
        self.device("d-1", widget("w1", character="elf-42"),
                    widget("w2", PARTY, member="orc-7")).close()
        publisher = self.publisher()
        date = 0

        def is_in_time():
            nonlocal date
            date = now_ms() + 150
            return publisher.pushed(HEALING, void_at=date) == 1

        wait_until(is_in_time, "a push that comes before it expires")
        wait_until(lambda: now_ms() > date, "the push has expired")
        self.assertEqual(self.device("d-1").reloads(), [])


if __name__ == "__main__":
    unittest.main()
