/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What must be true of raid5's own lists and counts when nothing can run, and
 * memory pressure on them. Part of raid5-unit.c, which includes raid5.c; it
 * changes nothing that the driver could see but one bit of a stripe's state,
 * and that only while it looks.
 *
 *	every stripe ── on one of: inactive_list[hash], r5c_*_list
 *		     └─ idle, without requests, in the hash table at its sector
 *	counts       ── what the lists say
 */
#ifndef RAID5SIM_RAID5_REST_H
#define RAID5SIM_RAID5_REST_H

/* No state of a stripe: it has been seen by this check. */
#define STRIPE_SEEN (BITS_PER_LONG - 1)
/* What is wrong with one stripe tends to be wrong with all. */
#define REST_REPORTS_MAX 8

/**
 * struct rest_check - a look at one array
 * @name:	of the list that is walked
 * @found:	stripes on all lists so far
 * @of_hash:	of them, by hash
 * @reports:	findings so far
 */
struct rest_check {
	struct r5conf *conf;
	const char *name;
	int found;
	int reports;
	int of_hash[];
};

#define rest_bad(c, fmt, ...)                                            \
	do {                                                             \
		if ((c)->reports++ < REST_REPORTS_MAX)                   \
			finding_add(FINDING_BAD_STATE, NULL,             \
				    "at rest: " fmt, ##__VA_ARGS__);     \
	} while (0)

#define rest_zero(c, what, value)                                        \
	do {                                                             \
		long long value_ = (value);                              \
									 \
		if (value_)                                              \
			rest_bad(c, what " is %lld", value_);            \
	} while (0)

/* ------------------------------------------------------------------ */
/* One stripe							      */

static const struct {
	unsigned char bit;
	const char *name;
} rest_states[] = {
	{STRIPE_ACTIVE, "ACTIVE"},
	{STRIPE_HANDLE, "HANDLE"},
	{STRIPE_SYNC_REQUESTED, "SYNC_REQUESTED"},
	{STRIPE_SYNCING, "SYNCING"},
	{STRIPE_PREREAD_ACTIVE, "PREREAD_ACTIVE"},
	{STRIPE_DELAYED, "DELAYED"},
	{STRIPE_BIT_DELAY, "BIT_DELAY"},
	{STRIPE_EXPANDING, "EXPANDING"},
	{STRIPE_BIOFILL_RUN, "BIOFILL_RUN"},
	{STRIPE_COMPUTE_RUN, "COMPUTE_RUN"},
	{STRIPE_ON_UNPLUG_LIST, "ON_UNPLUG_LIST"},
	{STRIPE_ON_RELEASE_LIST, "ON_RELEASE_LIST"},
	{STRIPE_LOG_TRAPPED, "LOG_TRAPPED"},
};

static void rest_state(struct rest_check *c, struct stripe_head *sh)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rest_states); i++)
		if (test_bit(rest_states[i].bit, &sh->state))
			rest_bad(c, "stripe %llu is %s",
				 (unsigned long long)sh->sector,
				 rest_states[i].name);
	if (sh->batch_head || !list_empty(&sh->batch_list))
		rest_bad(c, "stripe %llu is in a batch",
			 (unsigned long long)sh->sector);
	if (sh->check_state || sh->reconstruct_state)
		rest_bad(c, "stripe %llu is being checked or reconstructed",
			 (unsigned long long)sh->sector);
}

static void rest_devs(struct rest_check *c, struct stripe_head *sh)
{
	struct r5dev *dev;
	int i;

	for (i = 0; i < sh->disks; i++) {
		dev = &sh->dev[i];
		if (dev->toread || dev->read || dev->towrite || dev->written)
			rest_bad(c, "stripe %llu holds a request of disk %d",
				 (unsigned long long)sh->sector, i);
		if (test_bit(R5_LOCKED, &dev->flags))
			rest_bad(c, "stripe %llu has disk %d locked",
				 (unsigned long long)sh->sector, i);
	}
}

static void rest_stripe(struct rest_check *c, struct stripe_head *sh)
{
	int count = atomic_read(&sh->count), hash = sh->hash_lock_index;

	if (count)
		rest_bad(c, "stripe %llu is held %d times",
			 (unsigned long long)sh->sector, count);
	if (hash < 0 || hash >= NR_HASH_LOCKS(c->conf))
		rest_bad(c, "stripe %llu has hash %d of %d",
			 (unsigned long long)sh->sector, hash,
			 NR_HASH_LOCKS(c->conf));
	else
		c->of_hash[hash]++;
	rest_state(c, sh);
	rest_devs(c, sh);
}

/* ------------------------------------------------------------------ */
/* Lists							      */

/* False: the list leads astray from here. */
static bool rest_see(struct rest_check *c, struct stripe_head *sh)
{
	if (sh->raid_conf != c->conf) {
		rest_bad(c, "%s leads to what is no stripe", c->name);
		return false;
	}
	if (__test_and_set_bit(STRIPE_SEEN, &sh->state)) {
		rest_bad(c, "stripe %llu is on %s and on a list before it",
			 (unsigned long long)sh->sector, c->name);
		return false;
	}
	c->found++;
	return true;
}

/* @hash: of all its stripes, or -1 */
static void rest_list(struct rest_check *c, struct list_head *list,
		      const char *name, int hash)
{
	struct stripe_head *sh;

	c->name = name;
	list_for_each_entry(sh, list, lru) {
		if (!rest_see(c, sh))
			return;
		if (hash >= 0 && sh->hash_lock_index != hash)
			rest_bad(c, "stripe %llu of hash %d is on %s[%d]",
				 (unsigned long long)sh->sector,
				 sh->hash_lock_index, name, hash);
		rest_stripe(c, sh);
	}
}

static void rest_empty(struct rest_check *c, struct list_head *list,
		       const char *name)
{
	if (list_empty(list))
		return;
	rest_bad(c, "%s is not empty", name);
	rest_list(c, list, name, -1);
}

static void rest_busy_lists(struct rest_check *c)
{
	struct r5conf *conf = c->conf;
	int i;

	rest_empty(c, &conf->handle_list, "handle_list");
	rest_empty(c, &conf->loprio_list, "loprio_list");
	rest_empty(c, &conf->hold_list, "hold_list");
	rest_empty(c, &conf->delayed_list, "delayed_list");
	rest_empty(c, &conf->bitmap_list, "bitmap_list");
	for (i = 0; i < NR_HASH_LOCKS(conf); i++)
		rest_empty(c, &conf->temp_inactive_list[i],
			   "temp_inactive_list");
	if (!llist_empty(&conf->released_stripes))
		rest_bad(c, "released_stripes is not empty");
}

static void rest_inactive_lists(struct rest_check *c)
{
	struct r5conf *conf = c->conf;
	int i, empty = 0;

	for (i = 0; i < NR_HASH_LOCKS(conf); i++) {
		empty += list_empty(&conf->inactive_list[i]);
		rest_list(c, &conf->inactive_list[i], "inactive_list", i);
	}
	if (empty != atomic_read(&conf->empty_inactive_list_nr))
		rest_bad(c, "empty_inactive_list_nr is %d, and %d are empty",
			 atomic_read(&conf->empty_inactive_list_nr), empty);
}

/* Stripes whose data are only in the journal yet, in write-back mode. */
static void rest_cached_lists(struct rest_check *c)
{
	struct r5conf *conf = c->conf;

	rest_list(c, &conf->r5c_full_stripe_list, "r5c_full_stripe_list", -1);
	rest_list(c, &conf->r5c_partial_stripe_list, "r5c_partial_stripe_list",
		  -1);
}

/* Every stripe of the hash table is on a list, and where it is looked for. */
static void rest_hash_table(struct rest_check *c)
{
	struct r5conf *conf = c->conf;
	struct stripe_head *sh;
	int i;

	for (i = 0; i <= HASH_MASK; i++)
		hlist_for_each_entry(sh, &conf->stripe_hashtbl[i], hash) {
			if (!test_bit(STRIPE_SEEN, &sh->state))
				rest_bad(c, "stripe %llu is on no list",
					 (unsigned long long)sh->sector);
			if (stripe_hash(conf, sh->sector) !=
			    &conf->stripe_hashtbl[i])
				rest_bad(c, "stripe %llu is not in its bucket",
					 (unsigned long long)sh->sector);
			if (stripe_hash_locks_hash(conf, sh->sector) !=
			    sh->hash_lock_index)
				rest_bad(c, "stripe %llu has hash %d",
					 (unsigned long long)sh->sector,
					 sh->hash_lock_index);
		}
}

/* As far as rest_see() came, which may be into another list. */
static void rest_forget(struct r5conf *conf, struct list_head *list)
{
	struct stripe_head *sh;

	list_for_each_entry(sh, list, lru)
		if (sh->raid_conf != conf ||
		    !__test_and_clear_bit(STRIPE_SEEN, &sh->state))
			return;
}

static void rest_forget_all(struct r5conf *conf)
{
	int i;

	rest_forget(conf, &conf->handle_list);
	rest_forget(conf, &conf->loprio_list);
	rest_forget(conf, &conf->hold_list);
	rest_forget(conf, &conf->delayed_list);
	rest_forget(conf, &conf->bitmap_list);
	rest_forget(conf, &conf->r5c_full_stripe_list);
	rest_forget(conf, &conf->r5c_partial_stripe_list);
	for (i = 0; i < NR_HASH_LOCKS(conf); i++) {
		rest_forget(conf, &conf->temp_inactive_list[i]);
		rest_forget(conf, &conf->inactive_list[i]);
	}
	for (i = 0; i < conf->group_cnt; i++) {
		rest_forget(conf, &conf->worker_groups[i].handle_list);
		rest_forget(conf, &conf->worker_groups[i].loprio_list);
	}
}

/* ------------------------------------------------------------------ */
/* Counts							      */

/* As grow_one_stripe() deals them out, one hash after the other. */
static void rest_shares(struct rest_check *c)
{
	int nr = NR_HASH_LOCKS(c->conf), max = c->conf->max_nr_stripes;
	int i, share;

	for (i = 0; i < nr && !c->reports; i++) {
		share = max / nr + (max % nr > i);
		if (c->of_hash[i] != share)
			rest_bad(c, "hash lock %d owns %d stripes, not %d", i,
				 c->of_hash[i], share);
	}
}

static void rest_owners(struct rest_check *c)
{
	int i;

	for (i = 0; i < NR_HASH_LOCKS(c->conf); i++)
		if (!c->of_hash[i])
			rest_bad(c, "hash lock %d of %d owns no stripe", i,
				 NR_HASH_LOCKS(c->conf));
}

static void rest_counts(struct rest_check *c)
{
	struct r5conf *conf = c->conf;

	if (c->found != conf->max_nr_stripes)
		rest_bad(c, "%d stripes are on lists, max_nr_stripes is %d",
			 c->found, conf->max_nr_stripes);
	rest_zero(c, "active_stripes", atomic_read(&conf->active_stripes));
	rest_zero(c, "preread_active_stripes",
		  atomic_read(&conf->preread_active_stripes));
	rest_zero(c, "active_aligned_reads",
		  atomic_read(&conf->active_aligned_reads));
	rest_zero(c, "pending_full_writes",
		  atomic_read(&conf->pending_full_writes));
	rest_zero(c, "reshape_stripes", atomic_read(&conf->reshape_stripes));
	rest_zero(c, "pending_data_cnt", conf->pending_data_cnt);
	if (conf->retry_read_aligned || conf->retry_read_aligned_list)
		rest_bad(c, "an aligned read waits to be tried again");
}

/* ------------------------------------------------------------------ */
/* Workers							      */

static void rest_worker(struct rest_check *c, struct r5worker *worker, int g,
			int n)
{
	int i;

	if (worker->working)
		rest_bad(c, "worker %d of group %d is marked working", n, g);
	if (work_pending(&worker->work))
		rest_bad(c, "worker %d of group %d is queued", n, g);
	for (i = 0; i < NR_HASH_LOCKS(c->conf); i++)
		if (!list_empty(&worker->temp_inactive_list[i]))
			rest_bad(c, "worker %d of group %d holds stripes", n,
				 g);
}

static void rest_groups(struct rest_check *c)
{
	struct r5conf *conf = c->conf;
	struct r5worker_group *group;
	int g, n;

	for (g = 0; g < conf->group_cnt; g++) {
		group = &conf->worker_groups[g];
		rest_empty(c, &group->handle_list, "a group's handle_list");
		rest_empty(c, &group->loprio_list, "a group's loprio_list");
		rest_zero(c, "a group's stripes_cnt", group->stripes_cnt);
		for (n = 0; n < conf->worker_cnt_per_group; n++)
			rest_worker(c, &group->workers[n], g, n);
	}
	rest_zero(c, "work of raid5_wq", shim_works(raid5_wq));
}

/* ------------------------------------------------------------------ */
/* All of it							      */

/* One after the other until one fails: what follows would only echo it. */
static void (*const rest_parts[])(struct rest_check *c) = {
	rest_busy_lists, rest_groups, rest_inactive_lists, rest_cached_lists,
	rest_hash_table, rest_counts, rest_owners,	   rest_shares,
};

void kern_check_rest(struct kern_array *a)
{
	struct r5conf *conf = conf_of(a);
	struct rest_check *c;
	unsigned int i;
	size_t size;

	if (!conf)
		return;
	size = struct_size(c, of_hash, NR_HASH_LOCKS(conf));
	c = host_obj_alloc(size, 8, MEM_SHIM, NULL, NULL);
	memset(c, 0, size);
	c->conf = conf;
	for (i = 0; i < ARRAY_SIZE(rest_parts) && !c->reports; i++)
		rest_parts[i](c);
	rest_forget_all(conf);
	host_obj_free(c, MEM_SHIM, NULL);
}

/* ------------------------------------------------------------------ */
/* Memory pressure						      */

#ifdef HAVE_SHRINKER_ALLOC
#define SHRINKER(conf) ((conf)->shrinker)
#else
#define SHRINKER(conf) (&(conf)->shrinker)
#endif

/* mm/vmscan.c, later mm/shrinker.c: the batch of who names none. */
#define SHRINK_BATCH_USUAL 128

/*
 * As do_shrink_slab(), of the one node that such a cache is counted on and
 * without what earlier calls put off.
 */
unsigned long kern_shrink(struct kern_array *a, unsigned long objects)
{
	struct shrinker *s = SHRINKER(conf_of(a));
	struct shrink_control sc = {.gfp_mask = GFP_KERNEL};
	unsigned long freeable = s->count_objects(s, &sc);
	unsigned long batch = s->batch ?: SHRINK_BATCH_USUAL;
	unsigned long freed = 0, ret;

	if (!freeable || freeable == SHRINK_EMPTY)
		return 0;
	lock_check_try(); /* reclaim is held like a lock */
	fs_reclaim_acquire(GFP_KERNEL);
	objects = min(objects, 2 * freeable);
	while (objects) {
		sc.nr_to_scan = sc.nr_scanned = min(batch, objects);
		ret = s->scan_objects(s, &sc);
		if (ret == SHRINK_STOP)
			break;
		freed += ret;
		objects -= min(objects, sc.nr_scanned);
		cond_resched();
	}
	fs_reclaim_release(GFP_KERNEL);
	lock_check_tried();
	return freed;
}

#endif
