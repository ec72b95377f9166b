// The system's libuv, as LibuvLoop (its only Swift owner) sees it. What Swift cannot import
// (macros, variadic functions) becomes a documented static inline function here.
#pragma once
#include <uv.h>
