#include "drivers/md/raid5.c"
