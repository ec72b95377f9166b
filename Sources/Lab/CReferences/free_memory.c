#include "reference_server.h"

#include <malloc.h>

void reference_server_free_memory(void) { malloc_trim(0); }
