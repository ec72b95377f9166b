// The system's xxHash, as StoreFormat (its only Swift owner) sees it.
#pragma once
#include <xxhash.h>
