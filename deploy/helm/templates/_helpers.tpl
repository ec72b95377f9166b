{{/* The name of everything: reload-router, or RELEASE-reload-router for a release with another name. */}}
{{- define "reload-router.name" -}}
{{- if contains "reload-router" .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-reload-router" (.Release.Name | trunc 38 | trimSuffix "-") -}}
{{- end -}}
{{- end -}}

{{/* The labels by which services find the pod. */}}
{{- define "reload-router.selector" -}}
app.kubernetes.io/name: reload-router
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "reload-router.labels" -}}
{{ include "reload-router.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* The settings file. Values that the chart's own parts rely on cannot be overridden. */}}
{{- define "reload-router.settings" -}}
{{- $fixed := dict
  "listen" (list "*:7410")
  "admin" "*:7411"
  "admin-token-file" "/etc/reload-router/admin/token"
  "apps" "/etc/reload-router/apps/apps.json"
  "store" "/var/lib/reload-router/store"
  "store-must-exist" (not .Values.store.create)
  "drain-timeout" .Values.drainTimeout
  "log-format" "json" -}}
{{- if .Values.tls.existingSecret -}}
{{- $_ := set $fixed "cert" (list "/etc/reload-router/tls/tls.crt") -}}
{{- $_ := set $fixed "key" (list "/etc/reload-router/tls/tls.key") -}}
{{- else -}}
{{- $_ := set $fixed "insecure" true -}}
{{- end -}}
{{- mustMerge $fixed .Values.settings (dict "durability" "full" "backup-folder" "/var/lib/reload-router") | mustToPrettyJson -}}
{{- end -}}
