"""One of the clients of APNs from PyPI, as its users call it, with the packages of .build/python alone.

    .build/python/bin/python apns_client.py CLIENT '{"port":…,"authorities":…,"key":…,"keyID":…,"team":…,"topic":…,
                                                     "pushes":[{"token":…},{"token":…,"collapse":…}]}'

The clients know Apple's addresses alone, so each is pointed to the mock in the way that its code allows; all else is
theirs. Prints what became of each push: "accepted", or the reason as the client has it.
"""

import asyncio
import json
import os
import ssl
import sys


def kalyke(settings):
    """Its provider tokens have a text as their date, and each push a connection of its own."""
    import kalyke
    from kalyke.exceptions import ApnsProviderException

    os.environ["SSL_CERT_FILE"] = settings["authorities"]
    address = f"https://localhost:{settings['port']}"
    pointed = type("Pointed", (kalyke.ApnsClient,), {"_base_url": property(lambda _: address)})
    client = pointed(use_sandbox=False, team_id=settings["team"], auth_key_id=settings["keyID"],
                     auth_key_filepath=settings["key"])
    payload = kalyke.Payload(alert=kalyke.PayloadAlert(title="A dragon", body="comes"))
    for push in settings["pushes"]:
        config = kalyke.ApnsConfig(topic=settings["topic"], collapse_id=push.get("collapse"))
        try:
            asyncio.run(client.send_message(device_token=push["token"], payload=payload, apns_config=config))
            yield "accepted"
        except ApnsProviderException as error:
            yield type(error).__name__


def pyapns_client(settings):
    """Its provider tokens have a date with a fraction."""
    import pyapns_client as pushes

    pushes.APNSClient.BASE_URLS["prod"] = f"https://localhost:{settings['port']}"
    client = pushes.APNSClient("prod", settings["authorities"], settings["key"], settings["keyID"], settings["team"])
    payload = pushes.IOSPayload(alert=pushes.IOSPayloadAlert(title="A dragon", body="comes"))
    for push in settings["pushes"]:
        notification = pushes.IOSNotification(payload=payload, topic=settings["topic"], push_type="alert",
                                              collapse_id=push.get("collapse"))
        try:
            client.push(notification, push["token"])
            yield "accepted"
        except pushes.APNSException as error:
            yield type(error).__name__.removesuffix("Exception")
    client.close()


def aioapns(settings):
    """One push after the other, over one connection."""
    yield from asyncio.run(push_by_aioapns(settings))


async def push_by_aioapns(settings):
    import aioapns
    from aioapns.connection import APNsProductionClientProtocol as Protocol

    Protocol.APNS_SERVER, Protocol.APNS_PORT = "localhost", settings["port"]
    context = ssl.create_default_context(cafile=settings["authorities"])
    context.set_alpn_protocols(["h2"])

    async def ignore(*_):
        pass

    client = aioapns.APNs(key=open(settings["key"]).read(), key_id=settings["keyID"], team_id=settings["team"],
                          topic=settings["topic"], ssl_context=context, max_connections=1, err_func=ignore)
    answers = [
        await client.send_notification(aioapns.NotificationRequest(
            device_token=push["token"], message={"aps": {"alert": "A dragon"}}, push_type=aioapns.PushType.ALERT,
            collapse_key=push.get("collapse")))
        for push in settings["pushes"]]
    return ["accepted" if answer.is_successful else answer.description for answer in answers]


if __name__ == "__main__":
    clients = {"kalyke": kalyke, "pyapns_client": pyapns_client, "aioapns": aioapns}
    print(json.dumps(list(clients[sys.argv[1]](json.loads(sys.argv[2])))))
