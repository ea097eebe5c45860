package com.sun.source.util;

public interface TaskListener {
    void started(TaskEvent event);

    void finished(TaskEvent event);
}
