"""The Helm chart: what Helm itself finds in it, and what it installs."""

import json
import unittest

from deploy_case import *
from store_case import *

CHART = DEPLOY / "helm"
#: The version of Kubernetes whose schemas the objects are compared with.
KUBERNETES = "1.29"
HAS_HELM = has("helm_python") and has("yaml")
#: Values of a cluster that uses everything that the chart has.
EVERYTHING = {
    "image": {
        "repository": "registry.example.com/reload-router",
        "tag": "1.2.3",
        "pullSecrets": [{"name": "pull"}],
    },
    "store": {"create": True, "size": "100Gi", "storageClass": "fast"},
    "drainTimeout": 30,
    "settings": {"max-body": 131072, "durability": "os"},
    "service": {
        "type": "LoadBalancer",
        "port": 443,
        "annotations": {"example.com/kind": "network"},
        "loadBalancerClass": "example.com/balancer",
        "loadBalancerSourceRanges": ["192.0.2.0/24"],
        "externalTrafficPolicy": "Local",
    },
    "serviceMonitor": {"enabled": True, "interval": "30s", "labels": {"release": "prometheus"}},
    "networkPolicy": {"monitoringNamespace": "observability"},
    "podAnnotations": {"example.com/note": "x"},
    "podLabels": {"team": "games"},
    "nodeSelector": {"disk": "ssd"},
    "tolerations": [{"key": "router", "operator": "Exists"}],
    "affinity": {"nodeAffinity": {}},
    "priorityClassName": "high",
}


@unittest.skipUnless(HAS_HELM, "PyPI's helm-python-sdk or PyYAML is not there")
class Chart(StoreCase):
    flags = ("--store", "none")

    def objects(self, values=None, release="reload-router"):
        """What Helm makes of the chart, by kind and name."""
        import helm_python
        import yaml

        with helm_python.Chart.load(CHART) as chart:
            rendered = chart.render(values or {}, name=release, namespace="reload-router")
        found = {}
        for path, text in rendered.items():
            if path.endswith(".yaml"):
                for document in filter(None, yaml.safe_load_all(text)):
                    found[document["kind"], document["metadata"]["name"]] = document
        return found

    def settings(self, objects, name="reload-router-settings"):
        return json.loads(objects["ConfigMap", name]["data"]["settings.json"])

    def test_helm_lint_has_no_warning(self):
        """With the values as they are, and with everything in use."""
        import helm_python

        for values in (None, EVERYTHING):
            report = helm_python.lint(CHART, values, strict=True, kube_version=f"v{KUBERNETES}.0")
            self.assertEqual(report["errors"], [])
            # 1 is information: that an icon is recommended.
            self.assertEqual([entry for entry in report["messages"] if entry["severity"] > 1], [])

    def test_it_has_the_version_of_the_program(self):
        import yaml

        chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
        version = command("--version").stdout.strip()
        self.assertEqual((chart["version"], chart["appVersion"]), (version, version))
        (container,) = self.objects()["StatefulSet", "reload-router"]["spec"]["template"]["spec"][
            "containers"
        ]
        self.assertEqual(container["image"], f"reload-router:{version}")

    def test_as_it_is_it_installs_what_the_plain_manifests_do(self):
        """But for the labels that Helm's objects have, and the image's version, which kustomize sets."""
        plain = {}
        for path in (DEPLOY / "kubernetes").glob("*.yaml"):
            for document in documents(path):
                if document["kind"] != "Kustomization":
                    plain[document["kind"], document["metadata"]["name"]] = document
        charted = self.objects()
        self.assertEqual(set(charted), set(plain))
        # Both have their settings as a text, with its members in another order.
        for objects in (plain, charted):
            data = objects["ConfigMap", "reload-router-settings"]["data"]
            data["settings.json"] = json.loads(data["settings.json"])
            template = objects["StatefulSet", "reload-router"]["spec"]["template"]
            template["metadata"].pop("annotations", None)
            (container,) = template["spec"]["containers"]
            container["image"] = container["image"].partition(":")[0]
            self.assertEqual(container.pop("imagePullPolicy", "IfNotPresent"), "IfNotPresent")
            objects["Service", "reload-router"]["spec"].setdefault("type", "ClusterIP")
        for name, document in charted.items():
            self.assertEqual(without_labels(document), without_labels(plain[name]), name)

    @unittest.skipUnless(has("kubernetes_validate"), "PyPI's kubernetes-validate is not there")
    def test_its_objects_are_what_kubernetes_knows(self):
        """By the schemas of its own API, with no unknown member; a ServiceMonitor is the operator's."""
        import kubernetes_validate

        for values in (None, EVERYTHING):
            objects = self.objects(values)
            self.assertEqual(("ServiceMonitor", "reload-router") in objects, values is EVERYTHING)
            for (kind, _), document in objects.items():
                if kind != "ServiceMonitor":
                    kubernetes_validate.validate(document, KUBERNETES, strict=True)

    def test_the_parts_find_each_other_in_a_release_of_any_name(self):
        """Services, policy, budget and monitor the pod; the pod its settings; two releases not each other."""
        for release, name in (("reload-router", "reload-router"), ("games", "games-reload-router")):
            objects = self.objects(EVERYTHING, release)
            workload = objects["StatefulSet", name]["spec"]
            labels = workload["template"]["metadata"]["labels"]
            self.assertEqual(labels["app.kubernetes.io/instance"], release)
            self.assertIn(("Service", workload["serviceName"]), objects)
            volumes = {volume["name"]: volume for volume in workload["template"]["spec"]["volumes"]}
            self.assertIn(("ConfigMap", volumes["settings"]["configMap"]["name"]), objects)
            selectors = [workload["selector"]["matchLabels"]]
            for (kind, _), document in objects.items():
                spec = document.get("spec", {})
                selectors += [spec["selector"]] if kind == "Service" else []
                selectors += [spec["selector"]["matchLabels"]] if kind == "PodDisruptionBudget" else []
                selectors += [spec["podSelector"]["matchLabels"]] if kind == "NetworkPolicy" else []
            self.assertEqual(len(selectors), 5)
            for selector in selectors:
                self.assertLessEqual(selector.items(), labels.items())
                self.assertEqual(selector["app.kubernetes.io/instance"], release)

    def test_the_monitor_scrapes_the_admin_service_with_the_token(self):
        objects = self.objects(EVERYTHING)
        monitor = objects["ServiceMonitor", "reload-router"]
        self.assertEqual(monitor["metadata"]["labels"]["release"], "prometheus")
        (service,) = [
            document
            for (kind, _), document in objects.items()
            if kind == "Service"
            and monitor["spec"]["selector"]["matchLabels"].items() <= document["metadata"]["labels"].items()
        ]
        (endpoint,) = monitor["spec"]["endpoints"]
        self.assertEqual(endpoint["port"], service["spec"]["ports"][0]["name"])
        self.assertEqual((endpoint["path"], endpoint["interval"]), ("/metrics", "30s"))
        self.assertEqual(
            endpoint["authorization"]["credentials"], {"name": "reload-router-admin", "key": "token"}
        )
        self.assertEqual(endpoint["scheme"], "https")
        self.assertEqual(
            endpoint["tlsConfig"],
            {
                "ca": {"secret": {"name": "reload-router-tls", "key": "ca.crt"}},
                "serverName": "reload-router.reload-router.svc",
            },
        )
        # The job by which rules and dashboard find the routers.
        label = monitor["spec"]["jobLabel"]
        self.assertEqual(service["metadata"]["labels"][label], "reload-router")

    def test_without_a_certificate_probes_and_scrapes_are_without_tls(self):
        objects = self.objects({"tls": {"existingSecret": ""}, "serviceMonitor": {"enabled": True}})
        self.assertIs(self.settings(objects)["insecure"], True)
        (endpoint,) = objects["ServiceMonitor", "reload-router"]["spec"]["endpoints"]
        self.assertNotIn("scheme", endpoint)
        (container,) = objects["StatefulSet", "reload-router"]["spec"]["template"]["spec"]["containers"]
        for probe in ("startupProbe", "readinessProbe"):
            self.assertNotIn("scheme", container[probe]["httpGet"])

    def test_values_reach_the_objects(self):
        objects = self.objects(EVERYTHING)
        service = objects["Service", "reload-router"]
        self.assertEqual(service["metadata"]["annotations"], {"example.com/kind": "network"})
        self.assertEqual(
            {
                name: service["spec"][name]
                for name in ("type", "loadBalancerClass", "loadBalancerSourceRanges", "externalTrafficPolicy")
            },
            {
                "type": "LoadBalancer",
                "loadBalancerClass": "example.com/balancer",
                "loadBalancerSourceRanges": ["192.0.2.0/24"],
                "externalTrafficPolicy": "Local",
            },
        )
        self.assertEqual(service["spec"]["ports"], [{"name": "push", "port": 443, "targetPort": "push"}])
        workload = objects["StatefulSet", "reload-router"]["spec"]
        pod = workload["template"]["spec"]
        self.assertEqual(pod["containers"][0]["image"], "registry.example.com/reload-router:1.2.3")
        self.assertEqual(pod["imagePullSecrets"], [{"name": "pull"}])
        self.assertEqual((pod["nodeSelector"], pod["priorityClassName"]), ({"disk": "ssd"}, "high"))
        self.assertEqual(pod["tolerations"], [{"key": "router", "operator": "Exists"}])
        (claim,) = workload["volumeClaimTemplates"]
        self.assertEqual(claim["spec"]["storageClassName"], "fast")
        self.assertEqual(claim["spec"]["resources"]["requests"]["storage"], "100Gi")
        settings = self.settings(objects)
        self.assertEqual((settings["max-body"], settings["durability"]), (131072, "os"))
        self.assertGreater(pod["terminationGracePeriodSeconds"], settings["drain-timeout"] + 5 + 10)
        without = self.objects(
            {"podDisruptionBudget": {"enabled": False}, "networkPolicy": {"enabled": False}}
        )
        self.assertEqual({kind for kind, _ in without}, {"ConfigMap", "Service", "StatefulSet"})

    def test_its_settings_are_a_routers(self):
        for values in (None, EVERYTHING):
            path = self.router.apps.with_name("settings.json")
            path.write_text(json.dumps(self.settings(self.objects(values))))
            run(binary(), "check", "--config", path, env=clean_environment())

    def test_only_the_first_start_makes_a_store_and_the_change_back_restarts_nothing(self):
        first, later = self.objects({"store": {"create": True}}), self.objects()
        self.assertIs(self.settings(first)["store-must-exist"], False)
        self.assertIs(self.settings(later)["store-must-exist"], True)
        templates = [
            objects["StatefulSet", "reload-router"]["spec"]["template"] for objects in (first, later)
        ]
        self.assertEqual(*templates)
        other = self.objects({"settings": {"max-body": 2048}})["StatefulSet", "reload-router"]["spec"][
            "template"
        ]
        self.assertNotEqual(other, templates[0], "other settings need another pod")

    def test_values_that_it_does_not_have_or_keeps_for_itself_are_refused(self):
        """The message names the value."""
        import helm_python

        with helm_python.Chart.load(CHART) as chart:
            chart.validate_schema(EVERYTHING)
            for values, named in (
                ({"replicas": 2}, "replicas"),
                ({"service": {"type": "External"}}, "type"),
                ({"settings": {"store-must-exist": False}}, "store-must-exist"),
                ({"settings": {"log-format": "text"}}, "log-format"),
                ({"drainTimeout": "20s"}, "drainTimeout"),
                ({"service": {"loadBalancerSourceRanges": ["anywhere"]}}, "loadBalancerSourceRanges"),
                ({"store": {"size": "much"}}, "size"),
                ({"apps": {"existingSecret": ""}}, "existingSecret"),
            ):
                with self.assertRaises(helm_python.HelmValuesError) as refused:
                    chart.validate_schema(values)
                self.assertIn(named, str(refused.exception))


def without_labels(value):
    """A part of an object without the labels and selectors by which objects find each other."""
    if isinstance(value, dict):
        return {
            name: without_labels(part)
            for name, part in value.items()
            if not name.startswith(("app.kubernetes.io/", "helm.sh/", "reload-router/"))
            or not isinstance(part, str)
        }
    if isinstance(value, list):
        return [without_labels(part) for part in value]
    return value


if __name__ == "__main__":
    unittest.main()
