package examples.modules;

/** Modules that need each other. */
public class CycleException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CycleException(String module) {
        super("module " + module + " needs itself, directly or by way of others");
    }
}
