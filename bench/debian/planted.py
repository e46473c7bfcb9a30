"""Bugs planted into copies of the sources, one line each, as the authors of *Quasi-Optimal POR* did (Table 2)."""

import header_libraries
import libraries
import programs
from row import Row


def boost(workshop):
    include = workshop.changed("boost", workshop.archive.headers(header_libraries.BOOST), "boost/lockfree/spsc_queue.hpp",
                               "        new (buffer + write_index) T(t); // copy-construct\n\n"
                               "        write_index_.store(next, memory_order_release);",
                               "        new (buffer + write_index) T(t); // copy-construct\n\n"
                               "        write_index_.store(next, memory_order_relaxed);")
    return [workshop.program("planted spsc_queue", ["boost_spsc.cpp"], [f"-I{include}"])]


def kit(workshop):
    include = workshop.changed("ck", workshop.archive.headers("libck-dev"), "spinlock/ticket.h",
                               "	if (CK_SPINLOCK_TICKET_CAS(&ticket->value,\n"
                               "	    snapshot, snapshot + CK_SPINLOCK_TICKET_INCREMENT) == false) {",
                               "	ticket->value = snapshot + CK_SPINLOCK_TICKET_INCREMENT;\n	if (false) {")
    flags = [f"-I{include}", f"-I{include}/x86_64-linux-gnu", *header_libraries.CK, "-DLOCK=ticket"]
    return [workshop.program("planted ticket lock", ["ck_spinlock.c"], flags)]


def urcu(workshop):
    source = workshop.changed("urcu", libraries.urcu(workshop), "src/urcu.c",
                              "	wait_for_readers(&cur_snap_readers, NULL, &qsreaders);",
                              "	cds_list_splice(&cur_snap_readers, &qsreaders);")
    return [libraries.urcu_program(workshop, "planted urcu-mb", source, *libraries.URCU_MB)]


def mafft(workshop):
    tree = workshop.changed("mafft", workshop.archive.source("mafft"), "core/dndpre.c",
                            "		jobpospt->i += 1;\n		pthread_mutex_unlock( targ->mutex );",
                            "		pthread_mutex_unlock( targ->mutex );\n		jobpospt->i += 1;")
    programs.build_mafft(workshop, tree, ["dndpre"])
    return tree / "core"


def leveldb(workshop):
    source = workshop.changed("leveldb", workshop.archive.source("leveldb"), "db/db_impl.cc",
                              "    writers_.front()->cv.Signal();\n", "")
    return libraries.leveldb_program(workshop, "planted leveldb", source)


EXPLORE = header_libraries.EXPLORE
PLANTED = [
    programs.mafft_row("dndpre", 2, 4, [], tree=mafft, name="mafft dndpre", expect="data race",
                       remark="the next job is taken outside the lock; DPU: DND(2,4) 11.1 s, 80 executions"),
    Row("Boost.Lockfree spsc_queue", boost, expect="data race", note="release -> relaxed"),
    Row("Concurrency Kit ticket lock", kit, expect="assertion", options=EXPLORE, note="load and store, not exchange"),
    Row("userspace-rcu urcu-mb", urcu, expect="use-after-free", options=EXPLORE, note="does not wait for readers"),
    Row("LevelDB on disk", leveldb, expect="deadlock", note="the next writer is not woken"),
]
