// The page on which a browser shows a device, as bytes.
#pragma once

#include "embedded_file.h"

extern const EmbeddedFile device_page_css;
extern const EmbeddedFile device_page_html;
extern const EmbeddedFile device_page_js;
