package nl2fix.jvm.adapter;

import java.util.Set;
import nl2fix.jvm.Events;
import nl2fix.jvm.TestAdapter;
import nl2fix.jvm.TestIds;
import org.junit.runner.Description;
import org.junit.runner.Request;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import org.junit.runner.notification.RunNotifier;
import org.junit.runner.notification.StoppedByUserException;

/** JUnit 4, and with it JUnit 3 test classes. Links against any 4.x. */
public final class JUnit4 implements TestAdapter {
    /** What stands in place of a class none of whose tests are wanted: a failure to be initialised. */
    private static final String NONE_WANTED = Filter.class.getName();

    @Override
    public boolean accepts(Class<?> type) {
        return true;
    }

    @Override
    public void run(Class<?> type, Set<String> methods, Events events) {
        Request request = Request.aClass(type);
        if (!methods.isEmpty()) {
            request = request.filterWith(new Methods(methods));
        }
        Runner runner = request.getRunner();
        if (NONE_WANTED.equals(runner.getDescription().getDisplayName())) {
            return;
        }
        RunNotifier notifier = new RunNotifier();
        notifier.addListener(new Listener(events, notifier));
        try {
            runner.run(notifier);
        } catch (StoppedByUserException asked) {
            // By Listener.testFailure.
            return;
        }
    }

    /** {@code method(Class)} is JUnit's display name of a test; {@code Class} that of a class. */
    private static String id(Description description) {
        String name = TestIds.stable(description.getDisplayName());
        int open = name.lastIndexOf('(');
        if (open < 0 || !name.endsWith(")")) {
            return name;
        }
        return name.substring(open + 1, name.length() - 1) + "::" + name.substring(0, open);
    }

    private static final class Listener extends RunListener {
        private final Events events;
        private final RunNotifier notifier;

        Listener(Events events, RunNotifier notifier) {
            this.events = events;
            this.notifier = notifier;
        }

        @Override
        public void testStarted(Description description) {
            events.started(id(description));
        }

        @Override
        public void testFinished(Description description) {
            events.finished(id(description));
        }

        @Override
        public void testFailure(Failure failure) {
            events.failed(id(failure.getDescription()), failure.getException());
            if (events.stopping()) {
                notifier.pleaseStop();
            }
        }

        @Override
        public void testAssumptionFailure(Failure failure) {
            events.skipped(id(failure.getDescription()));
        }
    }

    private static final class Methods extends Filter {
        private final Set<String> wanted;

        Methods(Set<String> wanted) {
            this.wanted = wanted;
        }

        @Override
        public boolean shouldRun(Description description) {
            if (description.isTest()) {
                String id = id(description);
                String method = id.substring(id.indexOf("::") + (id.contains("::") ? 2 : 1));
                int bracket = method.indexOf('[');
                return wanted.contains(method) || bracket > 0 && wanted.contains(method.substring(0, bracket));
            }
            for (Description child : description.getChildren()) {
                if (shouldRun(child)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String describe() {
            return "methods " + wanted;
        }
    }
}
