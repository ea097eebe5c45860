package junit.framework;

public interface Test {
    void run(TestResult result);
}
