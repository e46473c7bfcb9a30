#include "cli/debugger.hpp"

#include <cstdlib>

#include "cli/output_file.hpp"
#include "core/error.hpp"
#include "program/command_line.hpp"

namespace mazurka::cli {
namespace {

// Threads of a program under test are fibers of one thread, which gdb cannot list. `mazurka thread` puts the registers
// of another one in place, as the runtime left them on its stack (runtime/arch.cpp), and puts them back before anything
// runs.
constexpr const char* kScript = R"(set pagination off
set print thread-events off
set confirm off
set breakpoint pending on
handle SIGSYS nostop noprint pass
python
import gdb, os

class Mazurka:
    own = None       # registers of the running thread, while another one is looked at
    pause = None     # the number of steps before which to stop
    asked = False    # whether it was told what there is

    @staticmethod
    def call(kind, name, argument=''):
        try:
            value = gdb.parse_and_eval('((%s (*)(unsigned))%s)(%s)' % (kind, name, argument or 0))
        except gdb.error as error:
            raise gdb.GdbError('mazurka: this gdb cannot call functions of a program on this machine (%s); bt and '
                               'info locals work, the commands of mazurka need another gdb' % error)
        return value.string(errors='replace') if kind == 'char*' else int(value)

    def name(self, index):
        return self.call('char*', 'mazurka_debug_name', index)

    def threads(self):
        running = self.call('unsigned', 'mazurka_debug_running')
        for index in range(self.call('unsigned', 'mazurka_debug_threads')):
            stack = self.call('unsigned long', 'mazurka_debug_stack', index)
            if stack:
                yield index, self.name(index), stack, index == running

    def folder(self):
        table = gdb.decode_line('mazurka_failed')[1][0].symtab
        path = os.path.realpath(table.fullname()) if table else ''
        return os.path.dirname(os.path.dirname(path)) if path else None

    def go_to_own_code(self):
        '''The innermost frame that is neither ours nor of a library.'''
        ours = self.folder()
        frame = gdb.newest_frame()
        while frame is not None:
            table = frame.find_sal().symtab
            path = os.path.realpath(table.fullname()) if table else ''
            if path and not path.startswith('/usr/') and not (ours and path.startswith(ours + '/')):
                frame.select()
                return frame
            frame = frame.older()
        return None

    def place(self):
        frame = self.go_to_own_code()
        if frame is None:
            return 'has not started'
        sal = frame.find_sal()
        return '%s at %s:%d' % (frame.name() or '?', os.path.basename(sal.symtab.filename), sal.line)

    REGISTERS = ('r15', 'r14', 'r13', 'r12', 'rbx', 'rbp', 'rip')

    def look_at(self, stack):
        if self.own is None:
            gdb.newest_frame().select()
            self.own = {name: int(gdb.parse_and_eval('(long)$' + name)) for name in self.REGISTERS + ('rsp',)}
        for i, name in enumerate(self.REGISTERS):
            gdb.execute('set $%s = *(long*)%d' % (name, stack + 8 * i))
        gdb.execute('set $rsp = %d' % (stack + 8 * len(self.REGISTERS)))
        gdb.newest_frame().select()

    def back(self):
        if self.own is None:
            return
        gdb.newest_frame().select()
        for name, value in self.own.items():
            gdb.execute('set $%s = %d' % (name, value))
        self.own = None
        gdb.newest_frame().select()

    def list_threads(self):
        self.back()
        for index, name, stack, running in list(self.threads()):
            if stack == 1:
                state = 'has ended'
            else:
                if not running:
                    self.look_at(stack)
                state = self.place()
                self.back()
            print('%s %-8s %s' % ('*' if running else ' ', name, state))
        self.go_to_own_code()

    def show(self, wanted):
        self.back()
        for index, name, stack, running in list(self.threads()):
            if name != wanted:
                continue
            if stack == 1:
                raise gdb.GdbError('thread %s has ended' % name)
            if not running:
                self.look_at(stack)
            if self.go_to_own_code() is not None:
                gdb.execute('frame')
            return
        raise gdb.GdbError('there is no thread %s; `mazurka threads` lists them' % wanted)

    def hint(self):
        if self.asked:
            return
        self.asked = True
        print('mazurka: threads are named as in the report: `mazurka threads` lists them, `mazurka thread 0.1` shows one,')
        print('mazurka: `mazurka back` returns. To step: `mazurka goto 7` runs it anew up to step 7, `mazurka next` goes on')
        print('mazurka: to the next step, and breakpoints, `next` and `step` work as ever.')

    def on_failure(self):
        self.own = None
        kind = self.call('char*', 'mazurka_debug_kind')
        running = self.name(self.call('unsigned', 'mazurka_debug_running'))
        steps = self.call('unsigned', 'mazurka_debug_step')
        if kind:
            print('\nmazurka: thread %s fails after step %d: %s: %s'
                  % (running, steps, kind, self.call('char*', 'mazurka_debug_message')))
            if self.go_to_own_code() is not None:
                gdb.execute('frame')
        else:
            print('\nmazurka: deadlock after step %d' % steps)
            self.list_threads()
        self.hint()

    def on_pause(self):
        self.own = None
        steps = self.call('unsigned', 'mazurka_debug_step')
        following = self.call('unsigned', 'mazurka_debug_next')
        known = {index: name for index, name, stack, running in self.threads()}
        if following in known:
            print('\nmazurka: step %d is next, by thread %s' % (steps + 1, known[following]))
            self.show(known[following])
        else:
            print('\nmazurka: the schedule is at its end, after step %d' % steps)

    def stop_before(self, steps):
        gdb.execute('set variable *(unsigned*)&mazurka_pause_step = %d' % steps)

mazurka = Mazurka()

class Start(gdb.Breakpoint):
    def stop(self):
        mazurka.own = None
        if mazurka.pause is not None:
            mazurka.stop_before(mazurka.pause)
            mazurka.pause = None
        return False
Start('mazurka_started', internal=True)

class Command(gdb.Command):
    def __init__(self, name, action, text):
        self.__doc__ = text
        self.action = action
        super().__init__(name, gdb.COMMAND_USER, prefix=name == 'mazurka')

    def invoke(self, argument, from_tty):
        self.action(argument.strip())

def goto(argument):
    if not argument.isdigit() or int(argument) < 1:
        raise gdb.GdbError('mazurka goto N: the number of a step in the report')
    mazurka.pause = int(argument) - 1
    gdb.execute('run')

def next_step(argument):
    mazurka.back()
    mazurka.stop_before(mazurka.call('unsigned', 'mazurka_debug_step') + 1)
    gdb.execute('continue')

def on_stop(event):
    if isinstance(event, gdb.SignalEvent):
        print('\nmazurka: thread %s fails after step %d: %s' % (
            mazurka.name(mazurka.call('unsigned', 'mazurka_debug_running')), mazurka.call('unsigned', 'mazurka_debug_step'),
            event.stop_signal))
        mazurka.hint()
gdb.events.stop.connect(on_stop)

Command('mazurka', lambda argument: print('threads, thread NAME, back, goto STEP, next'), 'The schedule of Mazurka.')
Command('mazurka threads', lambda argument: mazurka.list_threads(), 'List the threads by their names in the report.')
Command('mazurka thread', mazurka.show, 'Show where a thread is: mazurka thread 0.1')
Command('mazurka back', lambda argument: (mazurka.back(), mazurka.go_to_own_code()), 'Return to the running thread.')
Command('mazurka goto', goto, 'Run the program anew up to a step of the report: mazurka goto 7')
Command('mazurka next', next_step, 'Go on to the next step.')
end
define hook-continue
  python mazurka.back()
end
define hook-next
  python mazurka.back()
end
define hook-step
  python mazurka.back()
end
define hook-finish
  python mazurka.back()
end
break mazurka_failed
commands
  silent
  python mazurka.on_failure()
end
break mazurka_paused
commands
  silent
  python mazurka.on_pause()
end
)";

}  // namespace

std::vector<std::string> debugger_words(const std::string& folder) {
  const char* variable = std::getenv("MAZURKA_GDB");
  std::vector<std::string> words = program::split_words(variable == nullptr || *variable == 0 ? "gdb" : variable);
  if (words.empty()) throw InputError("MAZURKA_GDB must name a debugger");
  const std::string script = folder + "/mazurka.gdb";
  write_output(script, kScript);
  const std::vector<std::string> first = {"-q", "-x", script, "-ex", "run"};
  words.insert(words.begin() + 1, first.begin(), first.end());
  words.emplace_back("--args");
  return words;
}

}  // namespace mazurka::cli
