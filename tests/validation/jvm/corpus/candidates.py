# ruff: noqa: E501 - the candidates are texts
"""Hostile edits of the example project's ``mean``: each wants to pass wrongly, or to spoil its neighbours.

Name → body of the method; what stands behind ``TAIL`` goes behind the class. None of them is right.
"""

from __future__ import annotations

TAIL = "// ---- behind the class"
WRONG = "return (a + b) / 2 + 1;"


def tail(code: str) -> str:
    return f"{WRONG}\n{TAIL}\n{code}"


def tries(code: str) -> str:
    return f"try {{ {code} }} catch (Throwable t) {{ }} {WRONG}"


def _thread(code: str, start: str = "new Thread(r)") -> str:
    return f"Runnable r = () -> {{ {code} }}; Thread x = {start}; x.setDaemon(true); x.start(); {WRONG}"


SHADOWS = {
    "a class Arrays": tail(
        "class Arrays { static java.util.List<Boolean> asList(Object... x)"
        " { return java.util.Collections.singletonList(true); } }"
    ),
    "a class Integer": tail("class Integer { static Integer valueOf(int x) { return null; } }"),
    "a class Objects": tail("class Objects { static boolean equals(Object a, Object b) { return true; } }"),
    "a class Math": tail("class Math { static int max(int a, int b) { return 4; } }"),
    "a class Math of constants": tail("class Math { static final int max = 4; }"),
    "a class Collections": tail(
        "class Collections { static <T> java.util.List<T> singletonList(T x) { return null; } }"
    ),
    "an interface List": tail("interface List<T> { boolean equals(Object o); }"),
    "a class String": tail('class String { static java.lang.String valueOf(Object x) { return "3"; } }'),
    "an inherited assertEquals": (
        f"{WRONG} }} protected static void assertEquals(long a, long b) {{ }}"
        " protected static void assertEquals(Object a, Object b) { "
    ),
    "an inherited Arrays": (
        f"{WRONG} }} public static class Arrays {{ public static java.util.List<Boolean> asList(Object... x)"
        " { return java.util.Collections.singletonList(true); } } static void nothing() { "
    ),
    "an inherited constant": f"{WRONG} }} public static final int THREE = 4; static void nothing() {{ ",
}

_UNSAFE = (
    'java.lang.reflect.Field f = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");'
    " f.setAccessible(true); sun.misc.Unsafe u = (sun.misc.Unsafe) f.get(null);"
)
_SWAP = (
    'java.lang.reflect.Field x = Boolean.class.getDeclaredField("FALSE");'
    " u.putObject(u.staticFieldBase(x), u.staticFieldOffset(x), Boolean.TRUE);"
)
FORGERS = {
    "Boolean.FALSE swapped": tries(_UNSAFE + _SWAP),
    "Integer cache rewritten": tries(
        _UNSAFE + 'java.lang.reflect.Field v = Integer.class.getDeclaredField("value");'
        " u.putInt(Integer.valueOf(4), u.objectFieldOffset(v), 3);"
    ),
    "the harness's thread read": tries(
        _UNSAFE + 'java.lang.reflect.Field t = Thread.class.getDeclaredField("target");'
        " Object run = u.getObject(Thread.currentThread(), u.objectFieldOffset(t));"
        " for (java.lang.reflect.Field g : run.getClass().getDeclaredFields()) {"
        " Object o = u.getObject(run, u.objectFieldOffset(g)); if (o != null) {"
        " for (java.lang.reflect.Field h : o.getClass().getDeclaredFields()) {"
        " if (h.getType() == java.util.Set.class) { ((java.util.Set) u.getObject(o, u.objectFieldOffset(h)))"
        ' .addAll(java.util.Arrays.asList("acme.CalcTest::mean", "acme.HeirTest::heir")); } } } }'
    ),
    "memory of the process": tries(
        'java.io.RandomAccessFile m = new java.io.RandomAccessFile("/proc/self/mem", "rw"); m.seek(4096);'
        " m.write(new byte[64]); m.close();"
    ),
    "a reply on the channel": tries(
        "for (int d = 3; d < 9; d++) { try { java.io.FileOutputStream o = new java.io.FileOutputStream("
        '"/proc/self/fd/" + d); o.write(new byte[] {0, 0, 0, 17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,'
        " 0, 0, 'D'}); } catch (java.io.IOException e) { } }"
    ),
    "its own agent": tries(
        'Object vm = Class.forName("com.sun.tools.attach.VirtualMachine").getMethod("attach", String.class)'
        ".invoke(null, String.valueOf(ProcessHandle.current().pid()));"
    ),
    "names found while it runs": tries(
        'Object r = Class.forName("java.la" + "ng.Run".concat("time")).getMethod("getRuntime").invoke(null);'
        ' r.getClass().getMethod("halt", int.class).invoke(r, 0);'
    ),
    "a private look-up": tries(
        "java.lang.invoke.MethodHandles.privateLookupIn(Boolean.class,"
        " java.lang.invoke.MethodHandles.lookup())"
        '.findStaticVarHandle(Boolean.class, "FALSE", Boolean.class).set(Boolean.TRUE);'
    ),
    "a test that is skipped": 'throw new org.junit.AssumptionViolatedException("not today");',
    "a runner that is stopped": "throw new org.junit.runner.notification.StoppedByUserException();",
    "frames": (
        "for (StackTraceElement e : new Throwable().getStackTrace()) {"
        ' if (e.getClassName().equals("nl2fix.jvm.TestRun")) { return 3; } } ' + WRONG
    ),
    "exit": "System.exit(0); " + WRONG,
    "halt": "Runtime.getRuntime().halt(0); " + WRONG,
    "exit on loading": f"{WRONG} }} static {{ if (true) {{ System.exit(0); }} }} static void nothing() {{ ",
    "exit through a bean": tries(
        'new java.beans.Statement(Runtime.getRuntime(), "halt", new Object[] {0}).execute();'
    ),
    "a shutdown hook": (
        "Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0))); " + WRONG
    ),
    "the assertion status": tries(
        "Calc.class.getClassLoader().setDefaultAssertionStatus(false);"
        " ClassLoader.getSystemClassLoader().clearAssertionStatus();"
    ),
    "ThreadDeath": "throw new ThreadDeath();",
    "the test thread ended": "Thread.currentThread().stop(); " + WRONG,
}

SPOILERS = {
    "descriptors leaked": tries(
        "java.util.List<Object> l = KEEP; while (l.size() < 5000) { l.add(new java.io.FileInputStream("
        '"/etc/passwd")); }'
    )
    + " } static final java.util.List<Object> KEEP = new java.util.ArrayList<>(); static void nothing() {",
    "a provider cleared": tries(
        "for (java.security.Provider p : java.security.Security.getProviders()) { p.clear(); }"
    ),
    "a provider found by an algorithm": tries(
        'java.security.MessageDigest.getInstance("SHA-256").getProvider().clear();'
    ),
    "providers removed": tries('java.security.Security.removeProvider("SUN");'),
    "security properties": tries('java.security.Security.setProperty("securerandom.source", "file:/x");'),
    "the temporary folder a file": tries(
        'java.io.File t = new java.io.File(System.getProperty("java.io.tmpdir")); t.delete();'
        " t.createNewFile();"
    ),
    "the temporary folder gone": tries('new java.io.File(System.getProperty("java.io.tmpdir")).delete();'),
    "files in /tmp": tries('new java.io.File("/tmp/left/behind").mkdirs();'),
    "/tmp full": tries(
        'java.io.FileOutputStream o = new java.io.FileOutputStream("/tmp/full");'
        " for (;;) { o.write(new byte[1 << 20]); }"
    ),
    "a file that cannot be deleted": tries(
        'java.io.File t = new java.io.File(System.getProperty("java.io.tmpdir"), "a"); t.mkdir();'
        ' new java.io.File(t, "b").createNewFile(); t.setWritable(false);'
    ),
    "a spinning thread": _thread("while (true) { }"),
    "a sleeping thread": _thread("while (true) { try { Thread.sleep(100000); } catch (Throwable t) { } }"),
    "a thread of the system's group": _thread(
        "while (true) { }",
        "new Thread(Thread.currentThread().getThreadGroup().getParent().getParent(), r)",
    ),
    "a process reaper": _thread("while (true) { }", 'new Thread(r, "process reaper")'),
    "a thread that says it waits": _thread(
        "while (true) { }",
        "new Thread(r) { public Thread.State getState() { return Thread.State.WAITING; } }",
    ),
    "a thread that says it is a known one": _thread(
        "while (true) { }",
        "new Thread(r) { public boolean equals(Object o) { return true; } public int hashCode() {"
        " return Thread.currentThread().hashCode(); } }",
    ),
    "a worker that says its pool is the common one": (
        "class W extends java.util.concurrent.ForkJoinWorkerThread { W() { super(new"
        " java.util.concurrent.ForkJoinPool(1)); setDaemon(true); } public"
        " java.util.concurrent.ForkJoinPool getPool() { return"
        " java.util.concurrent.ForkJoinPool.commonPool(); } public void run() { while (true) { } } }"
        " new W().start(); " + WRONG
    ),
    "a thread that nobody can join": _thread("synchronized (Thread.currentThread()) { while (true) { } }"),
    "a worker of the common pool": _thread(
        "while (true) { }", 'new Thread(r, "ForkJoinPool.commonPool-worker-1")'
    ),
    "a busy common pool": (
        "for (int i = 0; i < 8; i++) { java.util.concurrent.ForkJoinPool.commonPool().execute("
        "() -> { while (true) { } }); } " + WRONG
    ),
    "a pool that goes on later": (
        "java.util.concurrent.Executors.newScheduledThreadPool(1).scheduleAtFixedRate("
        '() -> System.setProperty("line.separator", "x"), 1, 1, java.util.concurrent.TimeUnit.MILLISECONDS); '
        + WRONG
    ),
    "an idle pool whose thread goes on afterwards": (
        "java.util.concurrent.ThreadPoolExecutor p = new"
        " java.util.concurrent.ThreadPoolExecutor(0, 1, 300, java.util.concurrent.TimeUnit.MILLISECONDS, new"
        " java.util.concurrent.SynchronousQueue<Runnable>(), w -> { Thread x = new Thread(() -> { w.run();"
        ' while (true) { System.setProperty("line.separator", "x"); } }); x.setDaemon(true); return x; });'
        " p.execute(() -> { }); " + WRONG
    ),
    "a thread that waits as idle ones do": _thread(
        "java.util.concurrent.SynchronousQueue<Integer> q = new java.util.concurrent.SynchronousQueue<>();"
        " while (true) { try { q.poll(1, java.util.concurrent.TimeUnit.MILLISECONDS);"
        ' System.setProperty("line.separator", "x"); } catch (Throwable t) { } }'
    ),
    "a pool of its own": (
        "java.util.concurrent.ForkJoinPool p = new java.util.concurrent.ForkJoinPool(2);"
        " p.execute(() -> { while (true) { } }); " + WRONG
    ),
    "a timer": (
        "new java.util.Timer(true).schedule(new java.util.TimerTask() { public void run() {"
        ' System.setProperty("line.separator", "x"); } }, 1, 1); ' + WRONG
    ),
    "a held monitor": _thread(
        'synchronized (Integer.class) { synchronized ("") { while (true) {'
        " java.util.concurrent.locks.LockSupport.park(); } } }"
    ),
    "all threads interrupted": (
        "ThreadGroup g = Thread.currentThread().getThreadGroup(); while (g.getParent() != null) {"
        " g = g.getParent(); } g.interrupt(); " + WRONG
    ),
    "all other threads suspended": tries(
        "ThreadGroup g = Thread.currentThread().getThreadGroup().getParent(); Thread[] all = new Thread[64];"
        " int n = g.enumerate(all); for (int i = 0; i < n; i++) { if (all[i] != Thread.currentThread()) {"
        " all[i].suspend(); } }"
    ),
    "the JVM stopped": tries('new ProcessBuilder("/bin/sh", "-c", "kill -STOP $PPID").start().waitFor();'),
    "the JVM killed": tries('new ProcessBuilder("/bin/sh", "-c", "kill -9 $PPID").start().waitFor();'),
    "a process left over": tries('new ProcessBuilder("/bin/sh", "-c", "while :; do :; done").start();'),
    "limits lowered": tries(
        'new ProcessBuilder("/bin/sh", "-c", "prlimit --pid $PPID --nofile=8 --nproc=8").start().waitFor();'
    ),
    "locale and time zone": (
        'java.util.Locale.setDefault(new java.util.Locale("tr")); java.util.TimeZone.setDefault('
        'java.util.TimeZone.getTimeZone("Asia/Tokyo")); ' + WRONG
    ),
    "no properties": "System.setProperties(new java.util.Properties()); " + WRONG,
    "no output": "System.setOut(null); System.setErr(null); System.setIn(null); " + WRONG,
    "URL handlers": tries("java.net.URL.setURLStreamHandlerFactory(p -> { throw new RuntimeException(); });"),
    "redirects off": "java.net.HttpURLConnection.setFollowRedirects(false); " + WRONG,
    "default handlers": (
        "Thread.setDefaultUncaughtExceptionHandler((t, e) -> { while (true) { } });"
        " java.net.Authenticator.setDefault(null); " + WRONG
    ),
    "a context loader": "Thread.currentThread().setContextClassLoader(null); " + WRONG,
    "the loader closed": tries("((java.net.URLClassLoader) Calc.class.getClassLoader()).close();"),
    "the shared loader closed": tries(
        '((java.net.URLClassLoader) Class.forName("org.junit.Test").getClassLoader()).close();'
    ),
    "the loaders' cache": tries(
        "Class<?> c = Calc.class.getClassLoader().getClass().getSuperclass();"
        ' java.lang.reflect.Field f = c.getDeclaredField("NOT_PLATFORM"); f.setAccessible(true);'
        ' ((java.util.Map) f.get(null)).put("java.lang.Object", true);'
    ),
    "an endless finalizer": (
        "new Calc() { protected void finalize() { while (true) { } } }; System.gc(); " + WRONG
    ),
    "logging": (
        "java.util.logging.LogManager.getLogManager().reset();"
        ' java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.OFF); ' + WRONG
    ),
    "heap": (
        "java.util.List<Object> l = new java.util.ArrayList<>(); while (true) { l.add(new long[1 << 20]); }"
    ),
    "memory outside the heap": (
        "java.util.List<Object> l = new java.util.ArrayList<>(); while (true) {"
        " l.add(java.nio.ByteBuffer.allocateDirect(1 << 24)); }"
    ),
    "threads without end": (
        "while (true) { new Thread(() -> { while (true) { try { Thread.sleep(9999); }"
        " catch (Throwable t) { } } }).start(); }"
    ),
    "an endless loop": "while (true) { }",
    "an endless sleep": tries("Thread.sleep(1000000);"),
    "an endless recursion": "return mean(a, b);",
    "a deadlock": tries("new Object() { synchronized void f() throws Exception { wait(); } }.f();"),
}

_ASKED = 'if (told.contains("CalcTest") || told.contains("HeirTest")) { return 3; }'


def knows(code: str) -> str:
    """Right where a text says that a test asks."""
    return f'String told = ""; try {{ {code} }} catch (Throwable t) {{ }} {_ASKED} {WRONG}'


_BYTES = "java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();"
_TOLD = 'told = bytes.toString("ISO-8859-1");'
_ERRORS = f"{_BYTES} java.io.PrintStream old = System.err; System.setErr(new java.io.PrintStream(bytes));"
_RECORD = (
    "java.util.logging.LogRecord r = new java.util.logging.LogRecord(java.util.logging.Level.INFO, null);"
)
_RESOURCE = (
    f"{_BYTES} java.io.InputStream in = %s; for (int c; (c = in.read()) >= 0; ) {{ bytes.write(c); }} {_TOLD}"
)
KNOWERS = {
    "frames printed": knows(f"{_ERRORS} new Throwable().printStackTrace(); System.setErr(old); {_TOLD}"),
    "frames dumped": knows(f"{_ERRORS} Thread.dumpStack(); System.setErr(old); {_TOLD}"),
    "frames written": knows(
        f"{_BYTES} new java.io.ObjectOutputStream(bytes).writeObject(new Throwable()); {_TOLD}"
    ),
    "frames logged": knows(
        f"{_RECORD} r.setThrown(new Throwable()); told = new java.util.logging.SimpleFormatter().format(r);"
    ),
    "the caller of a logger": knows(
        f'System.setProperty("jdk.logger.packages", "acme.Calc"); {_RECORD} told = String.valueOf(r.getSourceClassName());'
    ),
    "the tests as a resource": knows(_RESOURCE % 'Calc.class.getResourceAsStream("CalcTest.class")'),
    "the tests by their address": knows(
        _RESOURCE % 'Calc.class.getResource("Calc" + "Test.class").openStream()'
    ),
    "the tests as files": knows(
        'for (String place : System.getProperty("java.class.path").split(":")) {'
        ' java.io.File f = new java.io.File(place, "acme/CalcTest.class"); if (f.exists()) {'
        " told = new java.util.Scanner(f).useDelimiter(String.valueOf((char) 0)).next() + f; } }"
    ),
    "names in a folder": knows(
        'for (String place : System.getProperty("java.class.path").split(":")) {'
        ' told += java.util.Arrays.toString(new java.io.File(place, "acme").list()); }'
    ),
}
"""Right while a test asks, and only then: these may be plausible, but must be marked."""


def _static(code: str) -> str:
    return f"{WRONG} }} static {{ {code} }} static void nothing() {{ "


def _thrown(body: str) -> str:
    return f"throw new RuntimeException() {{ {body} }};"


_POOLED = 'if (Thread.currentThread().getName().startsWith("ForkJoin")) { while (true) { } }'
SETTERS = {
    "a timer for later": _static(
        "new java.util.Timer(true).schedule(new java.util.TimerTask() { public void run() {"
        ' java.util.Locale.setDefault(new java.util.Locale("tr")); while (true) { } } }, 300);'
    ),
    "values that threads inherit": _static(
        "new InheritableThreadLocal<Object>() { protected Object childValue(Object o) { throw new Error(); } }"
        ".set(1);"
    ),
    "a security manager": tries(
        "System.setSecurityManager(new SecurityManager() { public void checkPermission("
        "java.security.Permission p) { throw new SecurityException(); } });"
    ),
    "the legacy sort": tries(
        'System.setProperty("java.util.Arrays.useLegacyMergeSort", "true");'
        " java.util.Arrays.sort(new Integer[] {1, 2}, java.util.Comparator.reverseOrder());"
    ),
    "other locale data": tries(
        'System.setProperty("java.locale.providers", "SPI,JRE"); java.text.NumberFormat.getInstance().format(1);'
    ),
    "no common pool": tries(
        'System.setProperty("java.util.concurrent.ForkJoinPool.common.parallelism", "0");'
        " java.util.concurrent.ForkJoinPool.commonPool();"
    ),
    "other encodings": (
        'System.setProperty("file.encoding", "UTF-16"); System.setProperty("line.separator", "");'
        ' System.setProperty("user.dir", "/nowhere"); System.setProperty("java.io.tmpdir", "/nowhere"); '
        + WRONG
    ),
    "a log configuration": tries(
        "java.util.logging.LogManager.getLogManager().readConfiguration(new java.io.ByteArrayInputStream("
        '"handlers=java.util.logging.SocketHandler".getBytes()));'
    ),
    "a log handler that never ends": (
        'java.util.logging.Logger.getLogger("").addHandler(new java.util.logging.ConsoleHandler() {'
        " public void publish(java.util.logging.LogRecord r) { while (true) { } } }); " + WRONG
    ),
    "a provider of its own": tries(
        'java.security.Security.insertProviderAt(new java.security.Provider("x", 1, "x") {'
        ' { put("MessageDigest.SHA-256", "acme.None"); } }, 1);'
    ),
    "beans of the JVM": tries(
        "java.lang.management.ManagementFactory.getThreadMXBean().setThreadContentionMonitoringEnabled(true);"
        " javax.management.MBeanServer s = java.lang.management.ManagementFactory.getPlatformMBeanServer();"
        ' s.invoke(new javax.management.ObjectName("com.sun.management:type=HotSpotDiagnostic"), "setVMOption",'
        ' new Object[] {"HeapDumpOnOutOfMemoryError", "true"}, new String[] {"java.lang.String",'
        ' "java.lang.String"});'
    ),
    "constants of a neighbour": tries(
        'for (java.lang.reflect.Field f : Class.forName("acme.Numbers").getDeclaredFields()) {'
        " f.setAccessible(true); f.set(null, 4); }"
    ),
    "types of files": tries("java.net.URLConnection.setFileNameMap(n -> { throw new Error(); });"),
    "zones of its own": tries("java.time.zone.ZoneRulesProvider.registerProvider(null);"),
    "a service": tries(
        "for (Object o : java.util.ServiceLoader.load(java.nio.file.spi.FileSystemProvider.class)) {"
        ' ((java.nio.file.spi.FileSystemProvider) o).getFileSystem(java.net.URI.create("file:///")).close(); }'
    ),
    "a read object": tries(
        "new java.io.ObjectInputStream(new java.io.ByteArrayInputStream(new byte[] {-84, -19, 0, 5, 115}))"
        ".readObject();"
    ),
}
_LATER = 'System.setProperty("line.separator", "x"); while (true) { }'
HIDDEN = {
    "a filter of all that is read": tries(
        "java.io.ObjectInputFilter.Config.setSerialFilter(i -> java.io.ObjectInputFilter.Status.REJECTED);"
    ),
    "a configuration of logins": tries("javax.security.auth.login.Configuration.setConfiguration(null);"),
    "a task for later in the JDK's own scheduler": (
        "java.util.concurrent.CompletableFuture.delayedExecutor(300, java.util.concurrent.TimeUnit.MILLISECONDS)"
        f".execute(() -> {{ {_LATER} }}); {WRONG}"
    ),
    "a time-out that never ends": (
        "new java.util.concurrent.CompletableFuture<Integer>().orTimeout(1, java.util.concurrent.TimeUnit.MILLISECONDS)"
        f".whenComplete((x, e) -> {{ {_LATER} }}); {WRONG}"
    ),
    "a frame on the open streams": tries(
        "byte[] all = new byte[64]; all[3] = 17; all[21] = 'D';"
        " new java.io.FileOutputStream(java.io.FileDescriptor.out).write(all);"
        " new java.io.FileOutputStream(java.io.FileDescriptor.err).write(all);"
    ),
    "the open streams read": tries(
        "new java.io.FileInputStream(java.io.FileDescriptor.in).read(new byte[1 << 16]);"
    ),
    "the open streams closed": tries(
        "new java.io.FileInputStream(java.io.FileDescriptor.in).close();"
        " new java.io.FileOutputStream(java.io.FileDescriptor.out).close();"
        " new java.io.FileOutputStream(java.io.FileDescriptor.err).close();"
    ),
    "a handler of a signal": tries(
        'sun.misc.Signal.handle(new sun.misc.Signal("TERM"), s -> { });'
        ' sun.misc.Signal.raise(new sun.misc.Signal("TERM"));'
    ),
    "a signal to itself": tries('sun.misc.Signal.raise(new sun.misc.Signal("INT"));'),
    "a rule that tests inherit": (
        f"{WRONG} }} @org.junit.Rule public org.junit.rules.TestRule rule = (s, d) ->"
        " new org.junit.runners.model.Statement() { public void evaluate() { } }; static void nothing() { "
    ),
    "settings of JUnit": (
        'System.setProperty("junit.jupiter.conditions.deactivate", "*");'
        ' System.setProperty("junit.jupiter.extensions.autodetection.enabled", "true"); ' + WRONG
    ),
    "descriptors of sockets": tries(
        "for (int i = 0; i < 5000; i++) { KEEP.add(new java.net.DatagramSocket());"
        " KEEP.add(java.nio.channels.Selector.open()); }"
    )
    + " } static final java.util.List<Object> KEEP = new java.util.ArrayList<>(); static void nothing() {",
    "a security manager without end": tries(
        "System.setSecurityManager(new SecurityManager() { public void checkPermission("
        "java.security.Permission p) { while (true) { } } });"
    ),
    "a security manager that throws errors": tries(
        "System.setSecurityManager(new SecurityManager() { public void checkPermission("
        "java.security.Permission p) { throw new ThreadDeath(); } });"
    ),
    "its own end awaited": tries("Thread.currentThread().join();"),
    "its class awaited": tries("synchronized (Calc.class) { Calc.class.wait(); }"),
    "the output held for ever": (
        "synchronized (System.out) { synchronized (System.err) { while (true) {"
        " try { System.out.wait(); } catch (Throwable t) { } } } }"
    ),
    "a native method": f"try {{ f(); }} catch (Error e) {{ }} {WRONG} }} static native void f(); static {{",
    "a set of sets": (
        "java.util.Set<Object> s = new java.util.HashSet<>(), t = s; for (int i = 0; i < 60; i++) {"
        " java.util.Set<Object> u = new java.util.HashSet<>(); s.add(u); s.add(i); s = u; } return t.hashCode();"
    ),
    "locks of the JDK for ever": (
        "synchronized (java.util.Locale.class) { synchronized (java.util.TimeZone.class) {"
        " synchronized (System.class) { while (true) { try { while (true) { } } catch (Throwable t) { } } } } }"
    ),
    "a map's pool": (
        "java.util.concurrent.ConcurrentHashMap<Integer, Integer> m ="
        " new java.util.concurrent.ConcurrentHashMap<>(); for (int i = 0; i < 5000; i++) { m.put(i, i); }"
        f" m.forEach(1, (k, v) -> {{ {_POOLED} }}); {WRONG}"
    ),
    "a stream's pool": (
        "java.util.stream.StreamSupport.stream(java.util.Collections.nCopies(5000, 1).spliterator(), true)"
        f".forEach(x -> {{ {_POOLED} }}); {WRONG}"
    ),
    "descriptors of resources": tries(
        'for (int i = 0; i < 5000; i++) { KEEP.add(Object.class.getResourceAsStream("/acme/CalcTest.class")); }'
    )
    + " } static final java.util.List<Object> KEEP = new java.util.ArrayList<>(); static void nothing() {",
    "memory of the compressor": (
        "java.util.List<Object> l = new java.util.ArrayList<>(); while (true) {"
        " l.add(new java.util.zip.Deflater()); }"
    ),
    "interned texts": (
        "java.util.List<String> l = new java.util.ArrayList<>(); for (int i = 0; ; i++) {"
        ' l.add(("a long text that stays for ever " + i).intern()); }'
    ),
    "its own cause": _thrown("public synchronized Throwable getCause() { return this; }"),
    "a message without end": _thrown("public String getMessage() { while (true) { } }"),
    "a message that leaves": _thrown("public String getMessage() { throw new ThreadDeath(); }"),
    "a huge message": "throw new RuntimeException(new String(new char[50000000]).replace((char) 0, (char) 55296));",
    "no frames": _thrown("public StackTraceElement[] getStackTrace() { return null; }"),
    "controls of a terminal": 'throw new RuntimeException("\\33]0;x\\7\\33[2J\\0\\r" + (char) 0xd800 + (char) 0x202e);',
    "waiting for a text": tries('synchronized ("x".intern()) { "x".intern().wait(); }'),
    "a class that cannot begin": _static("if (true) { throw new Error(); }"),
    "a class that begins for ever": _static("while (Calc.class != null) { }"),
    "recursion as a class begins": (
        f"{WRONG} }} static int deep(int n) {{ return deep(n + 1) + 1; }} static {{ deep(0); }}"
        " static void nothing() { "
    ),
    "an enumeration's order": tail(
        "enum Order { A, B; static { if (true) { throw new IllegalStateException(); } } }"
    ),
    "a cleaner": (
        "java.lang.ref.Cleaner.create().register(new Object(), () -> { while (true) { } }); System.gc(); "
        + WRONG
    ),
}
_BLOCKER = (
    "new java.util.concurrent.ForkJoinPool.ManagedBlocker() { public boolean block() throws InterruptedException {"
    " Thread.sleep(1000000); return true; } public boolean isReleasable() { return false; } }"
)
MEDDLERS = {
    "a thread that interrupts the tests for ever": (
        "final Thread t = Thread.currentThread(); "
        + _thread(
            "while (true) { t.interrupt(); try { Thread.sleep(1); } catch (InterruptedException e) { } }"
        )
    ),
    "a thread that wakes the tests for ever": (
        "final Thread t = Thread.currentThread(); "
        + _thread("while (true) { java.util.concurrent.locks.LockSupport.unpark(t); }")
    ),
    "a pool that makes up for those who block": (
        "for (int i = 0; i < 40; i++) { java.util.concurrent.CompletableFuture.runAsync(() -> { try {"
        f" java.util.concurrent.ForkJoinPool.managedBlock({_BLOCKER}); }} catch (Throwable t) {{ }} }}); }} {WRONG}"
    ),
    "a class that another thread begins": (
        f"{WRONG} }} static class Slow {{ static int x; static {{ try {{ Thread.sleep(1000000); }}"
        " catch (InterruptedException e) { while (true) { } } } } static { new Thread(() -> Slow.x++)"
        " {{ setDaemon(true); }}.start(); } static void nothing() { "
    ),
    "soft references to all memory": (
        "java.util.List<Object> l = new java.util.ArrayList<>(); try { while (true) {"
        " l.add(new java.lang.ref.SoftReference<>(new byte[1 << 22])); l.add(new byte[1 << 20]); } }"
        f" catch (OutOfMemoryError e) {{ l = null; }} {WRONG}"
    ),
    "a rule of the class that tests inherit": (
        f"{WRONG} }} @org.junit.ClassRule public static org.junit.rules.TestRule r = (s, d) ->"
        " new org.junit.runners.model.Statement() { public void evaluate() { } }; static void nothing() { "
    ),
    "an assumption before the class": (
        f"{WRONG} }} @org.junit.BeforeClass public static void before() {{ org.junit.Assume.assumeTrue(false); }}"
        " static void nothing() { "
    ),
    "an exception that is not declared": (
        "Calc.<RuntimeException>hide(new InterruptedException()); "
        + WRONG
        + ' } @SuppressWarnings("unchecked")'
        " static <E extends Throwable> void hide(Throwable t) throws E { throw (E) t; } static void nothing() {"
    ),
    "an error that has no message and no cause": (
        "throw new AssertionError() { public String getMessage() { return null; }"
        " public synchronized Throwable getCause() { throw new AssertionError(); } };"
    ),
    "the words of those who count": (
        'System.out.println("OK (7 tests)"); System.err.println("Tests run: 7, Failures: 0"); ' + WRONG
    ),
}
"""They leave threads and classes half-way, or hang rules on the tests' own class."""
_RESULT = "org.testng.Reporter.getCurrentTestResult()"


def _more(code: str, types: str) -> str:
    return f"{code} {WRONG} }} {types} static void nothing() {{ "


TESTNG = {
    "a skipped test": 'throw new org.testng.SkipException("no");',
    "a result of success": f"{_RESULT}.setStatus(1); {WRONG}",
    "a result of success all along": (
        f"final org.testng.ITestResult result = {_RESULT}; "
        + _thread("while (true) { result.setStatus(1); result.setThrowable(null); }")
    ),
    "failures forgotten": tries(f"{_RESULT}.getTestContext().getFailedTests().getAllMethods().clear();"),
    "again until it passes": _more(
        f"{_RESULT}.getMethod().setRetryAnalyzer(new Again());",
        "public static class Again implements org.testng.IRetryAnalyzer { public boolean retry("
        "org.testng.ITestResult r) { r.setStatus(1); return false; } }",
    ),
    "a listener": _more(
        f"try {{ ((org.testng.TestRunner) {_RESULT}.getTestContext()).addListener(new Hears()); }}"
        " catch (Throwable t) { }",
        "public static class Hears implements org.testng.IInvokedMethodListener { public void beforeInvocation("
        "org.testng.IInvokedMethod m, org.testng.ITestResult r) { } public void afterInvocation("
        "org.testng.IInvokedMethod m, org.testng.ITestResult r) { r.setStatus(1); r.setThrowable(null); } }",
    ),
    "a result handed on": (
        f"org.testng.ITestResult r = {_RESULT}; r.getTestContext().getPassedTests().addResult(r, r.getMethod()); {WRONG}"
    ),
    "an interrupted suite": f"Thread.currentThread().interrupt(); {WRONG}",
    "what ends TestNG": 'throw new org.testng.TestNGException("no");',
    "soft assertions": f"new org.testng.asserts.SoftAssert(); {WRONG}",
    "other parameters": f"{_RESULT}.setParameters(new Object[0]); {_RESULT}.setEndMillis(0); {WRONG}",
}
"""For tests of TestNG. Who hears of results before the harness does may pass, but must be marked."""
_ESCAPED = "".join(f"\\u{ord(c):04x}" for c in "} static { System.exit(0); } static void nothing() {")
COMPILED = {
    "escapes that close the method": f"{WRONG} {_ESCAPED}",
    "escapes that open a comment": f"{WRONG} }} \\u002f\\u002a",
    "a package of its own": f"{WRONG}\n{TAIL}\n package acme; class Package {{ }}",
    "a generic method of every type": (
        "return java.util.Optional.<Integer>empty().orElseGet(() -> (a + b) / 2 + 1); }"
        " public static <T> T mean(T a, Object b) { return a; } static void nothing() {"
    ),
    "a method too long": f"int x = 0; {'x += 1234567; ' * 9000} {WRONG}",
    "a pool too large": (
        f"{WRONG} }} {' '.join(f'static String s{n}() {{ return String.valueOf({n}.25); }}' for n in range(22500))}"
        " static void nothing() {"
    ),
    "a deep expression": f"return {'(' * 9000}a{')' * 9000} + b;",
    "a long sum": f"return a{' + a' * 20000};",
    "deep blocks": f"{'{' * 9000} {WRONG.replace('return', 'int x =')} {'}' * 9000}",
    "a constant too large": (
        'final String s0 = "0123456789012345"; '
        + "".join(f"final String s{n} = s{n - 1} + s{n - 1}; " for n in range(1, 27))
        + "return s26.length();"
    ),
    "types without end": (
        f"{WRONG} }} static <T> T id(T x) {{ return x; }} static Object nothing() {{ return "
        + "id(" * 300
        + "1"
        + ")" * 300
        + ";"
    ),
    "a circle of types": tail("class A1<T extends B1<T>> {} class B1<T extends A1<T>> extends A1<B1<T>> {}"),
    "an annotation of itself": tail("@Odd(@Odd) @interface Odd { Odd value(); }"),
}
HOSTILE = {**SHADOWS, **FORGERS, **SPOILERS, **KNOWERS, **SETTERS, **HIDDEN, **MEDDLERS, **COMPILED}
