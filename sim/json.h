/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tiny JSON writer: keys come out in the order written, one a line, so that
 * two outputs can be compared with diff. It knows nothing of what is written.
 *
 *	json_init(&j, stdout);
 *	json_object(&j, NULL);			{
 *	json_string(&j, "subject", "stock");	  "subject": "stock",
 *	json_array(&j, "findings");		  "findings": []
 *	json_end(&j);
 *	json_end(&j);				}
 */
#ifndef RAID5SIM_JSON_H
#define RAID5SIM_JSON_H

#include <stdbool.h>
#include <stdio.h>

/* Objects and arrays within one another at most. */
#define JSON_DEPTH 16

/**
 * struct json - a document being written; the members are json.c's own
 * @out:	where to; the caller looks for write errors at the end
 * @depth:	objects and arrays that are open
 * @close:	the bracket that ends each of them
 * @filled:	whether each has a member yet
 */
struct json {
	FILE *out;
	unsigned int depth;
	char close[JSON_DEPTH];
	bool filled[JSON_DEPTH];
};

void json_init(struct json *j, FILE *out);

/*
 * @key below is the member's name, NULL for an element of an array or the
 * document itself.
 */

/** json_object - begin an object; more than JSON_DEPTH deep aborts */
void json_object(struct json *j, const char *key);
/** json_array - begin an array */
void json_array(struct json *j, const char *key);
/** json_end - end the innermost object or array */
void json_end(struct json *j);

/** json_string - @s is UTF-8; bytes that are not become U+FFFD. NULL: null */
void json_string(struct json *j, const char *key, const char *s);
void json_int(struct json *j, const char *key, long long n);
/** json_uint - may be above 2^53, which some readers round */
void json_uint(struct json *j, const char *key, unsigned long long n);
void json_bool(struct json *j, const char *key, bool b);
void json_null(struct json *j, const char *key);

#endif
