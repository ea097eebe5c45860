package sun.misc;

import java.lang.reflect.Field;

/** What the JDK has. */
public final class Unsafe {
    private Unsafe() {
    }

    public native Object staticFieldBase(Field field);

    public native long staticFieldOffset(Field field);

    public native Object getObjectVolatile(Object base, long offset);
}
