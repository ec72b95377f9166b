#include "admin_files.h"

BEGIN_FILE(admin_openapi_json)
#embed "../../../protocol/admin.openapi.json"
END_FILE(admin_openapi_json)
BEGIN_FILE(http_openapi_json)
#embed "../../../protocol/http.openapi.json"
END_FILE(http_openapi_json)
BEGIN_FILE(metrics_table)
#embed "../../../protocol/metrics.table"
END_FILE(metrics_table)
BEGIN_FILE(api_js)
#embed "../AdminAPI/Dashboard/Resources/api.js"
END_FILE(api_js)
BEGIN_FILE(charts_js)
#embed "../AdminAPI/Dashboard/Resources/charts.js"
END_FILE(charts_js)
BEGIN_FILE(connections_js)
#embed "../AdminAPI/Dashboard/Resources/connections.js"
END_FILE(connections_js)
BEGIN_FILE(device_js)
#embed "../AdminAPI/Dashboard/Resources/device.js"
END_FILE(device_js)
BEGIN_FILE(devices_js)
#embed "../AdminAPI/Dashboard/Resources/devices.js"
END_FILE(devices_js)
BEGIN_FILE(dom_js)
#embed "../AdminAPI/Dashboard/Resources/dom.js"
END_FILE(dom_js)
BEGIN_FILE(app_js)
#embed "../AdminAPI/Dashboard/Resources/app.js"
END_FILE(app_js)
BEGIN_FILE(explain_js)
#embed "../AdminAPI/Dashboard/Resources/explain.js"
END_FILE(explain_js)
BEGIN_FILE(format_js)
#embed "../AdminAPI/Dashboard/Resources/format.js"
END_FILE(format_js)
BEGIN_FILE(history_js)
#embed "../AdminAPI/Dashboard/Resources/history.js"
END_FILE(history_js)
BEGIN_FILE(live_js)
#embed "../AdminAPI/Dashboard/Resources/live.js"
END_FILE(live_js)
BEGIN_FILE(origins_js)
#embed "../AdminAPI/Dashboard/Resources/origins.js"
END_FILE(origins_js)
BEGIN_FILE(overview_js)
#embed "../AdminAPI/Dashboard/Resources/overview.js"
END_FILE(overview_js)
BEGIN_FILE(page_css)
#embed "../AdminAPI/Dashboard/Resources/page.css"
END_FILE(page_css)
BEGIN_FILE(page_html)
#embed "../AdminAPI/Dashboard/Resources/page.html"
END_FILE(page_html)
BEGIN_FILE(page_js)
#embed "../AdminAPI/Dashboard/Resources/page.js"
END_FILE(page_js)
BEGIN_FILE(pushes_js)
#embed "../AdminAPI/Dashboard/Resources/pushes.js"
END_FILE(pushes_js)
BEGIN_FILE(range_js)
#embed "../AdminAPI/Dashboard/Resources/range.js"
END_FILE(range_js)
BEGIN_FILE(repeat_js)
#embed "../AdminAPI/Dashboard/Resources/repeat.js"
END_FILE(repeat_js)
BEGIN_FILE(runbook_html)
#embed "../AdminAPI/Dashboard/Resources/runbook.html"
END_FILE(runbook_html)
BEGIN_FILE(stream_js)
#embed "../AdminAPI/Dashboard/Resources/stream.js"
END_FILE(stream_js)
BEGIN_FILE(theme_js)
#embed "../AdminAPI/Dashboard/Resources/theme.js"
END_FILE(theme_js)
BEGIN_FILE(words_js)
#embed "../AdminAPI/Dashboard/Resources/words.js"
END_FILE(words_js)
