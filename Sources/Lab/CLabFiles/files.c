#include "lab_files.h"

BEGIN_FILE(device_page_css)
#embed "../WidgetFleet/DevicePage/Resources/page.css"
END_FILE(device_page_css)
BEGIN_FILE(device_page_html)
#embed "../WidgetFleet/DevicePage/Resources/page.html"
END_FILE(device_page_html)
BEGIN_FILE(device_page_js)
#embed "../WidgetFleet/DevicePage/Resources/page.js"
END_FILE(device_page_js)
BEGIN_FILE(device_draw_js)
#embed "../WidgetFleet/DevicePage/Resources/draw.js"
END_FILE(device_draw_js)
BEGIN_FILE(device_symbols_js)
#embed "../WidgetFleet/DevicePage/Resources/symbols.js"
END_FILE(device_symbols_js)
BEGIN_FILE(report_html)
#embed "../LoadReporting/Resources/report.html"
END_FILE(report_html)
