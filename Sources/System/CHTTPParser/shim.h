// The system's http_parser, as HTTPMessages sees it. What Swift cannot import (bit fields)
// becomes a documented static inline function here.
#pragma once
#include <http_parser.h>

/// The status of the response whose head has been parsed.
static inline int response_status(const http_parser *parser) { return parser->status_code; }

/// Why parsing has stopped, as a text; NULL if there was no error.
static inline const char *response_problem(const http_parser *parser) {
    enum http_errno number = HTTP_PARSER_ERRNO(parser);
    return number == HPE_OK ? NULL : http_errno_description(number);
}

/// The method of the request whose head has been parsed; of `enum http_method`.
static inline unsigned int request_method(const http_parser *parser) { return parser->method; }

/// Whether the body of the request whose head has been parsed comes in chunks.
static inline int request_is_chunked(const http_parser *parser) {
    return (parser->flags & F_CHUNKED) != 0;
}

/// Lets the parser read what follows a head as the rest of the message and further messages,
/// although the client asks for another protocol. To be called in `on_headers_complete`.
static inline void refuse_upgrade(http_parser *parser) { parser->upgrade = 0; }

/// Why parsing has stopped; of `enum http_errno`.
static inline unsigned int parser_error(const http_parser *parser) { return parser->http_errno; }
