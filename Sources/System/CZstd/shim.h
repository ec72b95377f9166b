// The system's zstd, as CaptureFiles (its only Swift owner) sees it.
#pragma once
#include <zstd.h>
