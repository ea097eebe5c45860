package nl2fix.jvm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Hears the calls of units while tests run: what each was called with, and what came of it, as {@link Calls} tells it.
 *
 * <p>Called by what {@code tapping.py} puts into an edit's classes: {@link #enter} before the unit itself, then one
 * of the others. Only the outermost call of a thread is heard. Calls with equal values, by {@link Portrait}, are
 * one; where they did not do the same, state that no value shows decided, and they are marked.
 */
public final class Tap {
    static final String NAME = "nl2fix.jvm.Tap";
    /** Calls that are looked at for each that may be kept. */
    private static final int TRIED = 20;
    /** Calls that any test may have. */
    private static final int LEAST = 2;

    private static volatile Log log;

    private Tap() {
    }

    /** Begins to hear calls where a request asks for that; null where it does not. */
    static Log listen(Request request) {
        log = request.flag() ? new Log(request.number(), request.number()) : null;
        return log;
    }

    static void deafen() {
        log = null;
    }

    static boolean listens() {
        return log != null;
    }

    public static void enter(String unit, Object receiver, Object[] arguments) {
        Log now = log;
        if (now != null) {
            now.enter(unit, receiver, arguments);
        }
    }

    public static void returned() {
        leave(null, false, null);
    }

    public static void returned(Object result) {
        leave(result, true, null);
    }

    public static void threw(Throwable thrown) {
        leave(null, false, thrown);
    }

    private static void leave(Object result, boolean speaks, Throwable thrown) {
        Log now = log;
        if (now != null) {
            now.leave(result, speaks, thrown);
        }
    }

    /** What was heard in one run of tests. */
    static final class Log {
        private final int most;
        private final int share;
        private final List<Open> all = Collections.synchronizedList(new ArrayList<>());
        private final ThreadLocal<Open> opened = ThreadLocal.withInitial(this::open);
        private final Map<Long, Heard> heard = new LinkedHashMap<>();
        private int tried;
        private String test = "";
        /** Calls that this test may still add. */
        private int room;

        /** A test may have one of {@code share} calls that are left: the first ones, which tell most, have most. */
        private Log(int most, int share) {
            this.most = most;
            this.share = share;
        }

        synchronized void begin(String id) {
            opened.get().notice(frames());
            test = id;
            room = Math.max(LEAST, (most - heard.size()) / share);
        }

        private void enter(String unit, Object receiver, Object[] arguments) {
            Open open = opened.get();
            open.notice(open.frames > 0 ? frames() : 0);
            if (open.depth++ > 0) {
                return;
            }
            open.call = null;
            open.frames = unit.startsWith("new ") ? frames() : 0;
            synchronized (this) {
                if (tried++ >= TRIED * most) {
                    return;
                }
            }
            try {
                open.receiver = receiver;
                open.arguments = arguments;
                open.before = Calls.portraits(receiver, arguments);
                long key = Portrait.text(unit);
                for (long each : open.before) {
                    key = Portrait.mix(key, each);
                }
                begin(open, key, unit);
            } catch (ThreadDeath stopped) {
                throw stopped;
            } catch (Throwable unreadable) {
                open.call = null;
            }
        }

        private synchronized void begin(Open open, long key, String unit) throws IllegalAccessException {
            Heard known = heard.get(key);
            if (known == null && heard.size() < most && room-- > 0) {
                known = new Heard(Calls.told(unit, open.receiver, open.arguments), test);
                heard.put(key, known);
            }
            open.call = known;
        }

        private void leave(Object result, boolean speaks, Throwable thrown) {
            Open open = opened.get();
            if (--open.depth > 0 || open.call == null) {
                return;
            }
            open.depth++; // what reading values calls is no call of the tests
            Heard call = open.call;
            try {
                if (thrown instanceof ThreadDeath || thrown instanceof OutOfMemoryError) {
                    return;
                }
                Calls.Done done = thrown != null ? Calls.threw(thrown, "") : Calls.after(
                        "", open.before, open.receiver, open.arguments, result, speaks ? Notation.of(result) : "");
                call.keep(done);
            } catch (ThreadDeath stopped) {
                throw stopped;
            } catch (Throwable unreadable) {
                synchronized (this) {
                    call.torn = true;
                }
            } finally {
                open.depth--;
                open.call = null;
                open.receiver = null;
                open.arguments = null;
            }
        }

        private Open open() {
            Open open = new Open();
            all.add(open);
            return open;
        }

        private static int frames() {
            return new Throwable().getStackTrace().length;
        }

        /** Each call that came to an end: values, whether always with one outcome, the outcome, both in words, the test. */
        synchronized void write(Reply reply, boolean finished) {
            for (Open open : finished ? all.toArray(new Open[0]) : new Open[0]) {
                open.notice(0);
            }
            List<Map.Entry<Long, Heard>> ended = new ArrayList<>();
            for (Map.Entry<Long, Heard> each : heard.entrySet()) {
                if (each.getValue().done != null) {
                    ended.add(each);
                }
            }
            reply.number(ended.size());
            for (Map.Entry<Long, Heard> each : ended) {
                Heard call = each.getValue();
                reply.text(Long.toHexString(each.getKey())).flag(!call.torn).text(Long.toHexString(call.done.digest));
                reply.text(call.done.text).text(call.told).text(call.test);
            }
        }
    }

    /** The call that a thread is in. */
    private static final class Open {
        int depth;
        Heard call;
        Object receiver;
        Object[] arguments;
        long[] before;
        /** How deep a constructor was called; 0 of all others. No class file can catch what constructors throw. */
        int frames;

        /** A constructor that is left without having returned threw something. */
        void notice(int now) {
            if (depth > 0 && frames > 0 && now <= frames) {
                depth = 0;
                if (call != null) {
                    call.keep(Calls.threw());
                }
            }
        }
    }

    private static final class Heard {
        final String told;
        final String test;
        Calls.Done done;
        boolean torn;

        Heard(String told, String test) {
            this.told = told;
            this.test = test;
        }

        synchronized void keep(Calls.Done now) {
            torn |= done != null && done.digest != now.digest;
            done = done == null ? now : done;
        }
    }
}
