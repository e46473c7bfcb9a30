"""Libraries that are nothing but headers, each with a driver of ours."""

from row import Row

BOOST = "libboost1.74-dev"
QUEUE = "libconcurrentqueue-dev"

# Concurrency Kit and userspace-rcu can do without assembly, by switches of their own. What they share they access by
# volatile loads and stores then, which are data races in the standard's eyes; so all accesses are steps.
CK = ("-DCK_USE_CC_BUILTINS=1",)
CK_NOTE = "-DCK_USE_CC_BUILTINS=1, every access a step"
EXPLORE = ("--plain=explore",)
EVERY = "every access a step"
# A thread that lost a race for a node reads its link while the winner writes to the node; a tag then makes it try again.
FREE_LIST = "intended: links of nodes in its free list are not atomic"


def folders(workshop, *packages):
    include = workshop.archive.headers(*packages)
    return [f"-I{include}", f"-I{include}/x86_64-linux-gnu"]


def row(name, packages, driver, flags=(), **rest):
    packages = (packages,) if isinstance(packages, str) else packages

    def build(workshop):
        return [workshop.program(name, [driver], [*folders(workshop, *packages), *flags])]

    return Row(name, build, **rest)


def kit(name, driver, flags=(), **rest):
    return row(f"Concurrency Kit {name}", "libck-dev", driver, (*CK, *flags), options=EXPLORE, note=CK_NOTE, **rest)


ROWS = [
    row("Boost.Lockfree queue", BOOST, "boost_queue.cpp", expect="data race", note=FREE_LIST),
    row("Boost.Lockfree queue, explored", BOOST, "boost_queue.cpp", ("-DONE_EACH",), options=EXPLORE,
        note="every access a step, one value from each producer"),
    row("Boost.Lockfree stack", BOOST, "boost_stack.cpp", expect="data race", note=FREE_LIST),
    row("Boost.Lockfree stack, explored", BOOST, "boost_stack.cpp", options=EXPLORE, note=EVERY),
    row("Boost.Lockfree spsc_queue", BOOST, "boost_spsc.cpp"),
    row("concurrentqueue", QUEUE, "concurrentqueue_plain.cpp"),
    row("concurrentqueue, blocking", QUEUE, "concurrentqueue_blocking.cpp"),
    row("concurrentqueue, tokens", QUEUE, "concurrentqueue_tokens.cpp"),
    row("readerwriterqueue", "libreaderwriterqueue-dev", "readerwriterqueue.cpp"),
    kit("ring", "ck_ring.c"),
    kit("stack", "ck_stack.c"),
    kit("spin lock", "ck_spinlock.c", ("-DLOCK=fas",)),
    kit("ticket lock", "ck_spinlock.c", ("-DLOCK=ticket",)),
    row("spdlog async logger", ("libspdlog-dev", "libfmt-dev"), "spdlog_async.cpp",
        ("-O1", "-DSPDLOG_FMT_EXTERNAL", "-DFMT_HEADER_ONLY", "-DSPDLOG_NO_THREAD_ID")),
    row("Asio thread_pool, 2 threads", "libasio-dev", "asio_pool.cpp"),
    row("Asio strand, 1 thread and main", "libasio-dev", "asio_pool.cpp", ("-DSTRAND",)),
]
