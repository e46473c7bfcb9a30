#!/usr/bin/env python3
"""Breaks the explorers on purpose, one small change at a time: the tests must notice each of them.

    tests/mutations/run.py [NAME...]      all mutations, or only these; works in build/mutations
    tests/mutations/run.py --check        only whether each of them still applies; takes a moment

Prints one line per mutation and exits 1 if one survives or no longer applies.
"""
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TREE = ROOT / "build" / "mutations" / "tree"
TESTS = ["tests/small_scope_test", "src/dpor_test", "tests/explorers_test"]

# name: (file, text, text instead[, the tests that must notice it: programs with their arguments])
# or ((file, text, text instead), ...) for several changes at once in place of the first three
MUTATIONS = {
    "locks-do-not-race": ("src/core/dependence.hpp",
                          "// Acquisitions: whoever comes first gets the mutex.\n  return Relation::Racing;",
                          "return Relation::Ordered;"),
    "clock-forgets-reads": ("src/core/happens_before.cpp",
                            "if (related && mine[other.process] < other.position)",
                            "if (related && other.operation.kind != OperationKind::Load && mine[other.process] < other.position)"),
    "clock-forgets-process": ("src/core/happens_before.cpp",
                              "std::copy_n(clock(history.back()), width_, mine);\n  mine",
                              "std::fill_n(mine, width_, 0U);\n  mine"),
    "skip-one-insertion": ("src/dpor/wakeup_tree.hpp",
                           "for (const LabelledStep& step : steps) parent",
                           "if (steps.size() != 3)\n      for (const LabelledStep& step : steps) parent"),
    "choices-do-not-branch": ("src/dpor/races.cpp", "if (events[i].offers_count != 0) others(i, known);", ""),
    "blocked-steps-are-ignored": ("src/dpor/races.cpp",
                                  "for (const Offer& offer : trace_.execution().pending) {",
                                  "for (const Offer& offer : trace_.execution().pending) {\n    if (!offer.enabled) continue;"),
    "open-races-are-dropped": ("src/dpor/reversals.cpp",
                               "for (std::size_t i = 0, count = open_.size(); i < count; ++i) {",
                               "for (std::size_t i = 0, count = 0; i < count; ++i) {"),
    "every-race-is-settled": ("src/dpor/reversals.cpp",
                              "if (histories_.candidate(target, avoided, target.next) == Planned::Settled) return;",
                              "histories_.candidate(target, avoided, target.next);\n  return;"),
    "failures-hide-the-rest": ("src/dpor/explorer.cpp",
                               "if (failed_on_its_own(job_, execution_) && !put_failure_last(",
                               "if (false && !put_failure_last("),
    "inserts-beside-weak-initials": ("src/dpor/wakeup_tree.cpp",
                                     "if (same == v.size()) return Planned::Open;",
                                     "if (same == v.size()) {\n      add_branch(children, parent, rest);\n      break;\n    }\n"),
    "later-reads-change-nothing": ("src/dpor/observed.cpp",
                                   "if (i < same && entry.contended && entry.was_observed != is_observed) same = i;", ""),
    "late-readers-are-ignored": ("src/dpor/races.cpp", "if (i >= shared || store >= known) add_observed_races",
                                 "if (store >= known || shared == SIZE_MAX) add_observed_races"),
    "taken-stores-are-never-seen": ("src/dpor/overtaken.cpp", "return fate != Fate::Observed;", "return true;"),
    "begins-too-early": ("src/dpor/tasks.cpp",
                         "if (left > 0 && in_order_ && !poll_.stopped()) reached_(at);",
                         "if (left > 0 && in_order_ && !poll_.stopped()) reached_(0);"),
    "nobody-is-asleep": ("src/dpor/optimal.cpp",
                         "if (!is_weak_initial(p, v.sequence)) continue;", "if (p.step.process != UINT32_MAX) continue;"),
    "nobody-wakes": ("src/dpor/search_path.hpp",
                     "|| dependent(sleep_[i].operation, taken.operation)", ""),
    "writers-wait-for-one-reader": ("src/dpor/histories.cpp",
                                    "if (target.operation->kind != WriteLock) return false;", "return false;"),
    "stores-have-no-observers": ("src/dpor/races.cpp", "      queue_.add(Task::Kind::Stores, target, e, observer);",
                                 "      (void)observer;"),
    "done-only-here": ("src/dpor/search_path.hpp",
                       "if (!remains_weak_initial(sleep_[i], state, taken, messages_)) continue;", "continue;"),
    "awaits-race-with-the-last-store": ("src/dpor/races.cpp",
                                        "family(operation.kind) == Family::Memory && never_blocks(operation.kind);",
                                        "family(operation.kind) == Family::Memory;"),
    "who-waits-is-no-observer": ("src/core/observation.hpp", "(kFatal | kAwaited)", "kFatal"),
    "outcomes-stay": ("src/core/operation.hpp", "{OnceEnter,          Once,       MayBlock, MayFail, ",
                      "{OnceEnter,          Once,       MayBlock, Several, ", "src/core_test"),
    "ended-threads-lose-their-stack": ("runtime/memory/checkpoint.cpp",
                                       "(thread.life == Life::Live || &thread == scheduling.current)",
                                       "thread.life == Life::Live"),
    "checkpoints-too-far": ("runtime/memory/checkpoint.cpp",
                            "while (furthest() > most) --all->count;",
                            "while (furthest() > most + 1) --all->count;"),
    "one-waiter-only": ("src/core/prober.cpp",
                        "(offer.alternative == wanted.alternative || state_decides_alternatives(offer.operation.kind))",
                        "offer.alternative == wanted.alternative"),
    "first-new-event-is-old": ("src/dpor/races.cpp", "if (i >= known) races_of(i);", "if (i > known) races_of(i);"),
    "source-set-of-one": ("src/dpor/wakeup_tree.cpp",
                          "if (chosen != nullptr) append(children, kNoNode, *chosen);",
                          "if (chosen != nullptr && children == kNoNode) append(children, kNoNode, *chosen);"),
    "younger-children-hear-nothing": ("src/dpor/search_tree.cpp",
                                      "if (child == kNoNode || nodes_[child].inherited == 0) return planned;",
                                      "return planned;"),
    "resting-children-are-forgotten": ("src/dpor/search_tree.cpp", "    if (node.inherited == 0) {", "    if (true) {"),
    "done-is-not-handed-over": ("src/dpor/frontier.cpp",
                                "for (const LabelledStep& done : level.done) tree_.add_done(node, done);", ""),
    "late-answers-are-no-conditions": ("src/dpor/team.cpp",
                                       "if (peer.inserted[unless_settled - peer.first] == Planned::Settled) return;",
                                       "return;"),
    "open-insertions-are-dropped": ("src/dpor/member.cpp",
                                    "if (answers_[waiting.ticket - first] == Planned::Open) send_insertion",
                                    "if (waiting.ticket == kNoTicket) send_insertion"),
    "any-parent-is-first": ("src/network/parallel_reachability.cpp",
                            "batch.found[i] < me.found[id - me.parents.size()])", "me.found.empty())", "src/network_test"),
    # Nets
    "any-net-type": ("src/net/pnml_reader.cpp", "if (!is_place_transition_type(type))",
                     "if (false && !is_place_transition_type(type))", "src/net_test"),
    "values-are-no-numbers": ("src/net/pnml_numbers.cpp", '} else if (kind == "text" || kind == "value") {',
                              '} else if (kind == "text") {', "src/net_test"),
    "weights-are-one": ("src/net/weighted_arcs.cpp", "    net_.add_input(at->second, transition);", "", "src/net_test"),
    "places-may-hold-anything": ("src/net/pnml_vocabulary.cpp", 'case PnmlParent::Place: return name == "label";',
                                 "case PnmlParent::Place: return true;", "src/net_test"),
    # Code that is not seen
    "assembly-has-no-fences": ("src/assembly/scanner.cpp",
                               'case Effect::FullFence: return "__mazurka_full_fence";',
                               "case Effect::FullFence: return nullptr;", "src/assembly_test"),
    "all-accesses-are-announced": ("src/assembly/announcements.cpp",
                                   "if ((access.reads && reads_ == 0 && writes_ == 0) || (access.writes && writes_ == 0)) return false;",
                                   "", "src/program_test --gtest_filter=*NotAnnounce*"),
    "atomic-loads-announce-nothing": ("src/assembly/announcements.cpp",
                                      '(!is_atomic || target.ends_with("_load"));', "!is_atomic;",
                                      "src/program_test --gtest_filter=*NotAnnounce*"),
    "fields-of-locals-are-private": ("src/program/instrumentation.cpp", "max-uses-to-explore=0", "max-uses-to-explore=99",
                                     "src/program_test --gtest_filter=*NotAnnounce*"),
    "signals-without-step-are-observed": ("runtime/posix/signal_delivery.cpp", "if (is_step) observe(before, word);",
                                          "observe(before, word);", "tests/explorers_test --gtest_filter=*Disagreements*"),
    "libraries-are-not-looked-at": ("src/program/unseen.cpp", "if (library.seen()) continue;", "continue;",
                                    "tests/cli_test --gtest_filter=*Unseen*"),
    "unseen-is-ok": ("src/cli/trust.cpp", "if (summary.result == Result::Ok && !open.empty()) {",
                     "if (summary.result == Result::Ok && open.size() > 99) {", "tests/cli_test --gtest_filter=*Unseen*"),
    # Cutoffs
    "cutoffs-of-any-size": ("src/unfolding/cutoffs.cpp", "found != smallest_.end() && smaller(found->second.shape, shape);",
                            "found != smallest_.end();", "src/unfolding_test --gtest_filter=*Cutoff*"),
    "conflicts-are-always-inherited": ("src/unfolding/explorer.cpp", "(depends && !inherits_conflict(e, d))", "false",
                                       "src/unfolding_test --gtest_filter=*Cutoff*:Unfolding*"),
    "conflicts-are-never-inherited": ("src/unfolding/explorer.cpp", "(depends && !inherits_conflict(e, d))", "depends",
                                      "src/unfolding_test --gtest_filter=EndlessPrograms.NeedLittleMemory"),
    "anybody-takes-returned-blocks": ("runtime/memory/recycling.cpp", "if (all || !is_foreign(block)) {", "if (true) {",
                                      "src/unfolding_test --gtest_filter=EndlessPrograms.Whose*"),
    "blocks-are-left-in-any-mutex": ("runtime/memory/recycling.cpp",
                                       "(left.users & user_bit(owner_of(block))) == 0", "false",
                                       "src/unfolding_test --gtest_filter=EndlessPrograms.Whose*"),
    "lists-lie-anywhere": ("runtime/memory/heap.cpp", "if (scheduling.keeps_states && booted) [[unlikely]]", "if (false)",
                           "src/unfolding_test --gtest_filter=EndlessPrograms.Whose*"),
    "states-of-all-events": ("src/unfolding/cutoffs.cpp", "if (!events_.before_in_configuration(cause, e)) continue;",
                             "if (cause == e) continue;", "src/unfolding_test --gtest_filter=*Cutoff*"),
    "cut-sections-are-left-out": ("src/unfolding/extensions.cpp", "for (const EventId e : cutoffs)",
                                  "for (const EventId e : cutoffs.first(0))",
                                  "tests/states_test --gtest_filter=Each/RandomStates.ASampleWithSections*"),
    "sections-leave-remains": ("runtime/hooks/verifier.cpp",
                               "MAZURKA_EXPORT void mazurka_atomic_end() {\n  end_section(MAZURKA_SITE);\n  clean_stack();",
                               "MAZURKA_EXPORT void mazurka_atomic_end() {\n  end_section(MAZURKA_SITE);",
                               "tests/states_test --gtest_filter=Each/RandomStates.ASampleWithSections*"),
    # Messages
    "taken-messages-count": ("src/dpor/deliveries.cpp",
                             "return entries_[second].partner == kNoEvent || entries_[second].partner > receive;", "return true;",
                             "tests/explorers_test --gtest_filter=*Messages*"),
    "patterns-do-not-matter": ("src/dpor/deliveries.cpp",
                               "if (receive == kNoEvent || !events[receive].operation.matches(events[second].operation.tag())) return false;",
                               "if (receive == kNoEvent) return false;", "tests/explorers_test --gtest_filter=*Messages*"),
    "nobody-takes-the-first": ("src/dpor/deliveries.cpp", "if (receive == kNoEvent ||", "if (receive == kNoEvent || receive < second ||",
                               "tests/explorers_test --gtest_filter=*Messages*"),
    "receives-are-not-forgotten": ("src/dpor/deliveries.cpp", "entries_[last.partner].partner = kNoEvent;", "(void)last;",
                                   "tests/explorers_test --gtest_filter=*Messages*"),
    "edges-are-levels": ("runtime/messages/poller.cpp", "else if ((entry->wanted.events & EPOLLET) == 0)", "else",
                         "src/program_test --gtest_filter=*descriptors*"),
    "once-is-always": ("runtime/messages/poller.cpp", "if ((entry->wanted.events & EPOLLONESHOT) != 0)", "if (false)",
                       "src/program_test --gtest_filter=*descriptors*"),
    "pages-are-free-at-once": ("runtime/messages/pipe.cpp", "taken >= filled[first]", "taken > 0",
                               "src/program_test --gtest_filter=*descriptors*"),
    "ends-are-not-told": ("runtime/messages/pipe.cpp", "pipe.ends[channel.side] = nullptr;", "",
                          "src/program_test --gtest_filter=*descriptors*"),
    "minutes-pass-at-any-time": ("runtime/messages/passing_time.cpp", "!is_long(thread, prospect) ||", "!is_long(thread, prospect) || true ||",
                                 "src/program_test --gtest_filter=*descriptors*"),
    "time-stands-still": ("runtime/scheduling/scheduler.cpp", "outcome != Outcome::Deadlock || !let_time_pass()",
                          "outcome != Outcome::Deadlock || true", "src/program_test --gtest_filter=*descriptors*"),
    "time-passes-for-the-first": ("runtime/messages/passing_time.cpp", "= waiters[thread.alternative];", "= waiters[0];",
                                  "src/program_test --gtest_filter=*descriptors*"),
    "time-races": ("src/core/dependence.hpp",
                   "if (first.kind == TimePasses || second.kind == TimePasses) return Relation::Ordered;", "", "src/core_test"),
    # Files and status
    "checkpoints-forget-the-status": ("runtime/memory/checkpoint.cpp", "channel.exit_status = progress.exit_status;", "",
                                      "src/program_test --gtest_filter=Status*"),
    "main-returns-nothing": ("runtime/posix/threads.cpp", "if (thread.index == 0) worker.channel->exit_status = thread.status;", "",
                             "src/program_test --gtest_filter=Status*"),
    "nothing-checked-is-ok": ("src/cli/check.cpp", "exploration.complete && !is_vacuous(exploration)",
                              "exploration.complete", "tests/cli_test --gtest_filter=Status*"),
    "files-stay": ("runtime/worker/execution.cpp", "if (!worker.standalone) put_files_back();", "if (false) put_files_back();",
                   "src/program_test --gtest_filter=Files*"),
    "files-are-only-read": ("runtime/files/file_use.cpp", "changes ? OperationKind::ReadModifyWrite : OperationKind::Load",
                            "OperationKind::Load", "src/program_test --gtest_filter=Files*"),
    "masks-do-not-matter": ("runtime/posix/futex.cpp", "if (mask == FUTEX_BITSET_MATCH_ANY) return true;", "return true;",
                            "src/program_test --gtest_filter=Futexes*"),
    # Sections and the end of the process
    "stores-stay": ("runtime/scheduling/sections.cpp", "  take_stores_back();", "  if (false) take_stores_back();", "tests/cli_test --gtest_filter=Sections*"),
    "main-ends-alone": ("runtime/posix/threads.cpp",
                        "perform(ends_process ? operation(Exit) : on_thread(ThreadExit, thread.index), site);",
                        "perform(on_thread(ThreadExit, thread.index), site);", "tests/cli_test --gtest_filter=Sections*"),
    "one-alternative-of-a-section": ("src/dpor/histories.cpp", "          alternatives.push_back(sibling);",
                                     "          (void)sibling;"),
    "locks-in-sections-wait": ("src/core/dependence.hpp",
                               "== Relation::Independent ? Relation::Independent : Relation::Racing;",
                               "== Relation::Independent ? Relation::Independent : Relation::Ordered;",
                               "src/core_test"),
    # Lives of objects
    "lives-do-not-race": ("runtime/detector/object_use.cpp", "if (detector.guarding && lives_may_race()) perform(", "if (false) perform(",
                          "src/program_test --gtest_filter=*Lifetimes*"),
    "sources-are-optimised": ("src/program/build.cpp", '{"-g", "-O0", ', '{"-g", "-O1", ',
                              "src/program_test --gtest_filter=*Lifetimes*"),
    "donors-use-the-heap-of-main": ("runtime/scheduling/donors.cpp", "if (worker.ready && !worker.standalone) return_to_boot_heap();", "",
                                    "src/program_test --gtest_filter=*Lifetimes*"),
    "failures-hide-stores": ("src/dpor/explorer.cpp", "path_.back().current.operation.flags |= kFatal;", "{}"),
    # False alarms
    "annotations-order-nothing": ("runtime/hooks/annotations.cpp", "  acquire(name, kAnnotated);", "",
                                  "src/program_test --gtest_filter=Findings*"),
    "threads-never-give-way": ("runtime/scheduling/scheduler.cpp", "== kTurn - 1 || gives_way)", "== kTurn - 1)",
                               "src/program_test --gtest_filter=Waiting*"),
    "masks-are-not-inherited": ("runtime/posix/threads.cpp", ": self().signal_mask;", ": 0;",
                                "src/program_test --gtest_filter=Signals*"),
    "long-chains-end-early": ("src/core/happens_before.cpp", "    i = kShort;", "    i = 0;", "src/core_test"),
    "promises-are-kept-unseen": ("runtime/posix/promises.cpp", "->run = make_ready;", "->run = run_of_the_library;",
                                 "src/program_test --gtest_filter=Findings*"),
    # Idle rounds
    "states-without-stack": ("runtime/waiting/local_state.cpp",
                             "copy_bytes(to + sizeof head, reinterpret_cast<const void*>(stack), stack_bytes);",
                             "zero_bytes(to + sizeof head, stack_bytes);", "tests/waiting_test --gtest_filter=-*Night*"),
    "trials-fail-in-the-channel": ("runtime/posix/exit.cpp", "void abort_at(std::uint64_t site) {\n  no_trial();\n",
                                   "void abort_at(std::uint64_t site) {\n", "tests/cli_test --gtest_filter=*FailAfterTheWait*"),
    "tries-elsewhere-see-no-back-off": ("runtime/waiting/back_offs.cpp", "  learn(protocol::kTrySite, WaitKind::Several);\n  unsupported",
                                        "  return;\n  unsupported", "tests/explorers_test --gtest_filter=SeveralLocks.*"),
    "assumptions-about-later-accesses": ("runtime/waiting/trial.cpp", "trial->further || !memory_is_unchanged()",
                                         "!memory_is_unchanged()", "tests/waiting_test --gtest_filter=Loops.FoundBefore"),
    "used-slots-are-dead": ("runtime/waiting/dead_values.cpp", "    used_slots_[used_count_++] = {slot.offset, bytes};",
                            "    used_slots_[used_count_] = {slot.offset, bytes};", "tests/cli_test --gtest_filter=*SpinLocks*"),
    "jumps-are-followed-one-way": ("runtime/waiting/dead_values.cpp", "return in_both(run(jumps - 1), other.run(jumps - 1));",
                                   "return other.run(jumps - 1);", "tests/cli_test --gtest_filter=*SpinLocks*"),
    "states-without-registers": ("runtime/waiting/local_state.cpp", "head.access = thread.access;",
                                 "for (int i = 0; i < MAZURKA_REGISTERS; ++i)\n    if (i != MAZURKA_STACK_POINTER) head.registers[i] = 0;\n"
                                 "  head.access = thread.access;", "tests/waiting_test --gtest_filter=-*Night*"),
    "states-without-operands": ("runtime/waiting/local_state.cpp", "head.operand = thread.operand;", "head.operand = 0;", "tests/waiting_test --gtest_filter=-*Night*"),
    "states-without-library-frames": ("runtime/waiting/local_state.cpp",
                                      "mazurka_registers_at(thread.access, image.text_begin, image.text_end, registers)",
                                      "mazurka_registers_at(thread.access, 0, UINT64_MAX, registers)",
                                      "tests/cli_test --gtest_filter=*LoopsOfLibrariesDoNotForget*"),
    "states-without-signal-mask": ("runtime/waiting/local_state.cpp", "head.signal_mask = thread.signal_mask;",
                                   "head.signal_mask = 0;", "tests/cli_test --gtest_filter=*LoopsThatChangeTheSignalMask*"),
    "variables-of-queued-threads-are-dead": ("runtime/waiting/local_state.cpp", "const bool passes_hooks = is_left_alone && (",
                                             "const bool passes_hooks = (is_left_alone || true) && (",
                                             "tests/cli_test --gtest_filter=*VariablesStayWhileTheirThreadWaits*"),
    "looks-of-earlier-steps-count": ("runtime/waiting/bounded_spins.cpp", "thread.looked_step == scheduling.step &&", "",
                                     "tests/explorers_test --gtest_filter=LibraryWaits*"),
    "failed-tries-of-others-do-not-matter": ("runtime/waiting/locked_rounds.cpp",
                                             "sees_lock(event, thread.locked_object)", "sees_lock(event, 0)",
                                             "tests/waiting_test --gtest_filter=-*Night*"),
    "silent-stores-are-idle": ("runtime/waiting/trial.cpp", "    case Load:\n    case ReadModifyWrite:",
                               "    case Load:\n    case Store:\n    case ReadModifyWrite:", "tests/waiting_test --gtest_filter=-*Night*"),
    "rounds-have-one-location": ("runtime/waiting/trial.cpp",
                                 "trial->elsewhere = trial->elsewhere || !same_access(next, trial->first);", "", "tests/waiting_test --gtest_filter=-*Night*"),
    "spins-look-at-nothing": ("runtime/waiting/waits.cpp", "return value_at(event.operation) == event.value;",
                              "return event.process != UINT32_MAX;", "tests/waiting_test --gtest_filter=-*Night*"),
    "modifications-are-idle": ("runtime/waiting/trial.cpp",
                               "if (++trial->steps > kMostSteps || value_at(trial->last) != trial->value) end_trial();",
                               "if (++trial->steps > kMostSteps) end_trial();\n  trial->page_count = 0;", "tests/waiting_test --gtest_filter=-*Night*"),
    "answers-hold-in-any-memory": ("runtime/waiting/answers.cpp", "    if (value != read.value) return false;",
                                   "    if (value != read.value) return true;", "tests/waiting_test --gtest_filter=-*Night*"),
    "rounds-before-count": ("runtime/waiting/waits.cpp",
                            "(known->answers[judgement.number].reads_count == 0 || judgement.number == expected);",
                            "(known->answers[judgement.number].reads_count == 0 || expected != UINT32_MAX);", "tests/waiting_test --gtest_filter=-*Night*"),
    "unseen-reads-do-not-matter": ("runtime/waiting/trial.cpp", "    if (!is_announced && !is_of_lock(address)) {", "    if (address == 0 && !is_of_lock(address)) {", "tests/waiting_test --gtest_filter=-*Night*"),
    # Time-outs
    "failed-tries-do-not-see-timed-rounds": ("runtime/waiting/timed_rounds.cpp", "sees_lock(event, round.mutex)", "sees_lock(event, 1)",
                                             "tests/waiting_test --gtest_filter=-*Night*"),
    # Either of the two would be enough to tell a signal from a time-out.
    "signals-are-time-outs": ((("runtime/waiting/timed_rounds.cpp",
                                "return operation.kind == ConditionTimeout || operation.kind == FutexTimeout;",
                                "if (operation.kind == MutexLock) is_locked = true;\n      return true;"),
                               ("runtime/posix/condition.cpp", "  if (!gave_up) return 0;",
                                "  if (!gave_up) {\n    after_step(thread, ETIMEDOUT);\n    return 0;\n  }")),
                              "tests/explorers_test --gtest_filter=TimedWaits*"),
    "segments-have-no-effect": ("runtime/waiting/timed_rounds.cpp", "return answer.answer == TrialAnswer::IdleToo ? number : 0;",
                                "return number;", "tests/explorers_test --gtest_filter=TimedWaits*"),
    "time-outs-are-in-vain": ("runtime/waiting/timed_rounds.cpp",
                              "if (!holds(known->answers[thread.segments[i].answer])) return false;", "continue;",
                              "tests/waiting_test --gtest_filter=-*Night*"),
    "timed-states-do-not-matter": ("runtime/waiting/timed_rounds.cpp", "if (visit.state != state || !", "if (!",
                                   "tests/waiting_test --gtest_filter=-*Night*"),
    "predicates-ask-for-the-library": ("src/program/timed_code.cpp",
                                       "for_each_function_below(function, [&](Dwarf_Die* inner) { add_ranges(inner, inlined); });", "",
                                       "tests/explorers_test --gtest_filter=TimedWaits*"),
    # Found by pairs of features
    "detaching-is-no-step": ("runtime/posix/threads.cpp",
                             "perform(on_thread(mazurka::OperationKind::ThreadDetach, index), MAZURKA_SITE);", ""),
    "barriers-depend-on-all-arrivals": ("src/core/dependence.hpp",
        "return leave.arrival() == 0 || leave.arrival() == arrive.arrival() ? Relation::Ordered : Relation::Independent;",
        "return Relation::Ordered;", "src/core_test"),
    "names-of-semaphores-are-no-steps": ("runtime/posix/semaphore.cpp", "  perform(change, site);\n}\n\nint try_wait",
                                         "  (void)change;\n  (void)site;\n}\n\nint try_wait"),
}


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def prepare():
    """A copy of the sources with a build folder that outlives a mutation, so that little is built again."""
    TREE.mkdir(parents=True, exist_ok=True)
    names = set(run(["git", "ls-files"], cwd=ROOT).stdout.split("\n"))
    for name in names:
        source, target = ROOT / name, TREE / name
        if not name or not source.is_file():
            continue
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    for old in TREE.rglob("*"):  # what the project no longer has
        relative = old.relative_to(TREE)
        if old.is_file() and relative.parts[0] != "build" and str(relative) not in names:
            old.unlink()
    build = run(["cmake", "--preset", "release"], cwd=TREE)
    if build.returncode != 0:
        sys.exit(build.stdout)


def tests_pass(tests):
    """None where the tests pass, else the first line that says why not."""
    targets = sorted({pathlib.PurePath(test.split()[0]).name for test in tests})
    built = run(["cmake", "--build", "build/release", "--target", *targets], cwd=TREE)
    if built.returncode != 0:
        return "does not build: " + next((l for l in built.stdout.split("\n") if " error: " in l), "?")
    environment = dict(os.environ, MAZURKA_TEST_SCALE=os.environ.get("MAZURKA_TEST_SCALE", "25"))
    for test in tests:
        program, *arguments = test.split()
        try:
            result = run([TREE / "build/release" / program, *arguments, "--gtest_brief=1", "--gtest_fail_fast"], cwd=TREE, env=environment, timeout=120)
        except subprocess.TimeoutExpired:
            return f"{test} does not end"
        if result.returncode != 0:
            lines = [l for l in result.stdout.split("\n") if "FAILED" in l or "invariant" in l.lower()]
            return f"{test}: " + (lines[0].strip() if lines else f"exit {result.returncode}")
    return None


def parts_of(mutation):
    """The changes of a mutation as (file, text, text instead), and the tests that must notice them."""
    first, *rest = mutation
    return ([(first, rest[0], rest[1])], rest[2:]) if isinstance(first, str) else (first, rest)


def does_not_apply(root, changes):
    """The first file that does not contain the text to be replaced exactly once; None if there is none."""
    for file, old, _ in changes:
        if not (root / file).is_file() or (root / file).read_text().count(old) != 1:
            return file
    return None


def check():
    stale = {name: does_not_apply(ROOT, parts_of(mutation)[0]) for name, mutation in MUTATIONS.items()}
    stale = {name: file for name, file in stale.items() if file}
    for name, file in stale.items():
        print(f"{name}: DOES NOT APPLY to {file}")
    sys.exit(1 if stale else 0)


def main():
    if sys.argv[1:] == ["--check"]:
        check()
    wanted = sys.argv[1:] or list(MUTATIONS)
    prepare()
    survivors = 0
    for name in wanted:
        changes, tests = parts_of(MUTATIONS[name])
        originals = {file: (TREE / file).read_text() for file, _, _ in changes if (TREE / file).is_file()}
        if missing := does_not_apply(TREE, changes):
            print(f"{name}: DOES NOT APPLY to {missing}")
            survivors += 1
            continue
        for file, old, new in changes:
            (TREE / file).write_text(originals[file].replace(old, new))
        why = tests_pass(tests or TESTS)
        for file, original in originals.items():
            (TREE / file).write_text(original)
        bad = why is None or why.startswith("does not build")
        survivors += bad
        print(f"{name}: {'SURVIVES' if why is None else why}", flush=True)
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
