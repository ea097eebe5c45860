package nl2fix.jvm;

import java.io.IOException;

/**
 * The worker: answers requests of the parent, one at a time, until the channel is closed.
 *
 * <p>Arguments: the paths of the channel's two ends, to read from and to write to, and "apart" where no other
 * process sees what this one writes. Standard input and
 * output belong to the code under test. See {@link Channel} for the frames.
 */
public final class Main {
    private final Channel channel;
    private final JvmState state;
    private ClassPath classPath;
    private Compiler compiler;

    private Main(Channel channel, JvmState state) {
        this.channel = channel;
        this.state = state;
    }

    public static void main(String[] arguments) throws IOException {
        Channel channel = Channel.open(arguments[0], arguments[1]);
        JvmState state = JvmState.capture(arguments[2].equals("apart"));
        new Main(channel, state).serve();
        state.discardTemporaryFiles();
        Runtime.getRuntime().halt(0);
    }

    private void serve() throws IOException {
        Request request = channel.next();
        while (request != null) {
            try {
                answer(request);
            } catch (RuntimeException | LinkageError | IOException | ClassNotFoundException failure) {
                channel.answer(request, new Reply('E').text(Texts.describe(failure)));
            }
            request = channel.next();
        }
    }

    private void answer(Request request) throws IOException, ClassNotFoundException {
        switch (request.operation) {
            case 'O':
                classPath = ClassPath.read(request);
                channel.answer(request, new Reply('O').text(System.getProperty("java.specification.version")));
                break;
            case 'C':
                if (compiler == null) {
                    compiler = new Compiler();
                }
                channel.answer(request, compiler.compile(request, classPath));
                break;
            case 'R':
                channel.answer(request, new TestRun(request, classPath, channel, state).perform());
                break;
            case 'T':
                channel.answer(request, Sketch.of(request, classPath));
                break;
            case 'B':
                channel.answer(request, new Calls(request, classPath, state).perform());
                break;
            default:
                throw new IllegalArgumentException("unknown operation " + request.operation);
        }
    }
}
