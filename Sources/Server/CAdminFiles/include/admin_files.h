// The dashboard, the documents of the HTTP interfaces, and the table of metrics, as bytes.
#pragma once

#include "embedded_file.h"

extern const EmbeddedFile admin_openapi_json;
extern const EmbeddedFile http_openapi_json;
extern const EmbeddedFile metrics_table;
extern const EmbeddedFile api_js;
extern const EmbeddedFile charts_js;
extern const EmbeddedFile connections_js;
extern const EmbeddedFile device_js;
extern const EmbeddedFile devices_js;
extern const EmbeddedFile dom_js;
extern const EmbeddedFile app_js;
extern const EmbeddedFile explain_js;
extern const EmbeddedFile format_js;
extern const EmbeddedFile history_js;
extern const EmbeddedFile live_js;
extern const EmbeddedFile origins_js;
extern const EmbeddedFile overview_js;
extern const EmbeddedFile page_css;
extern const EmbeddedFile page_html;
extern const EmbeddedFile page_js;
extern const EmbeddedFile pushes_js;
extern const EmbeddedFile range_js;
extern const EmbeddedFile repeat_js;
extern const EmbeddedFile runbook_html;
extern const EmbeddedFile stream_js;
extern const EmbeddedFile theme_js;
extern const EmbeddedFile words_js;
