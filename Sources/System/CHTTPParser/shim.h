// The system's http_parser, as AdminClient (its only Swift owner) sees it. What Swift cannot import
// (bit fields) becomes a documented static inline function here.
#pragma once
#include <http_parser.h>

/// The status of the response whose head has been parsed.
static inline int response_status(const http_parser *parser) { return parser->status_code; }

/// Why parsing has stopped, as a text; NULL if there was no error.
static inline const char *response_problem(const http_parser *parser) {
    enum http_errno number = HTTP_PARSER_ERRNO(parser);
    return number == HPE_OK ? NULL : http_errno_description(number);
}
