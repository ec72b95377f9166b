// The pages of the laboratory, as bytes: a device in a browser, and a report.
#pragma once

#include "embedded_file.h"

extern const EmbeddedFile device_draw_js;
extern const EmbeddedFile device_page_css;
extern const EmbeddedFile device_page_html;
extern const EmbeddedFile device_page_js;
extern const EmbeddedFile device_symbols_js;
extern const EmbeddedFile report_html;
