# ruff: noqa: E501 - the candidates are texts
"""Hostile edits of ``mean`` in plain code: names that mean something else, what a JVM keeps, time that never ends.

In the form of ``candidates``; none of them opens members by reflection.
"""

from __future__ import annotations

from tests.validation.jvm.corpus.candidates import TAIL, WRONG, knows, tail, tries


def _member(code: str) -> str:
    """Members behind the method, which keeps its body."""
    return f"{WRONG} }} {code} static void nothing() {{ "


def _deep(code: str) -> str:
    """Something done for the first time where the stack ends."""
    return _member(
        f"static void deep() {{ try {{ deep(); }} catch (StackOverflowError e) {{ }} {code} }}"
        " static { try { deep(); } catch (Throwable t) { } }"
    )


_FAKE = (
    "public static class Fake { public java.util.List<Boolean> asList(Object... x)"
    " { return java.util.Collections.singletonList(true); } public boolean equals(Object a, Object b)"
    " { return true; } public int max(int a, int b) { return 4; } public String valueOf(Object o)"
    ' { return "3"; } }'
)
NAMES = {
    "a class of the project's": tail("class Numbers { public static final int THREE = 4; }"),
    "a class of the project's that changes": tail(
        "class Shared { static int three = 4; static int[] some = {4}; }"
    ),
    "a test of its own": tail("class CalcTest { public void mean() { } }"),
    "a test's heir": tail("class HeirTest extends Calc { public void heir() { } public void tools() { } }"),
    "a class org": tail("class org { static class junit { static class Assert { } } }"),
    "a class java": tail("class java { static class util { static class Arrays { } } }"),
    "a class acme": tail("class acme { static class Calc { static int mean(int a, int b) { return 3; } } }"),
    "fields that are types": _member(
        f"{_FAKE} protected static final Fake Arrays = new Fake(), Objects = new Fake(), Math = new Fake();"
    ),
    "a field java": _member(f"{_FAKE} protected static final Fake java = new Fake();"),
    "an inherited twice": _member(
        "protected static long twice(long a) { return 8; } protected static void assertTrue(boolean b) { }"
    ),
    "an inherited suite": _member("public static Object suite() { return null; }"),
    "more parameters": "return mean(a, b, 0); } public static int mean(int a, int b, int... c) { return a + b; } public static Integer mean(Integer a, Integer b) { return 3; } static void nothing() {",
    "a wider type": f"{WRONG.replace('return', 'int x =')} return x; }} public static double mean(double a, double b) {{ return 3; }} static void nothing() {{",
    "a test named": "try { return CalcTest.class.getName().length() > 0 ? 3 : 0; } catch (Throwable t) { return 5; }",
    "classes of the compiler's own names": (
        f"new Object() {{ }}; {WRONG}\n{TAIL}\nclass Calc$1 {{ }} class Calc$Deep$1 {{ }}"
    ),
    "names of one letter's case": tail("class calc { } class CALC { } class Numbers2 { } class numbers2 { }"),
    "rare letters": tail("class \U0001d4b3\U0001d4b4 { } class \u00e4\u4e2d\u0430 { }"),
    "names that no file has": _member(
        "".join(f"static class {'A' * 60}{n} {{ " for n in range(8)) + "} " * 8
    ),
}
_OWN_INTERRUPT = (
    "Thread x = new Thread(() -> {{ while (true) {{ }} }}) {{ public void interrupt() {{ {} }} }};"
    f" x.setDaemon(true); x.start(); {WRONG}"
)
KEPT = {
    "the tests run again": _member(
        "static boolean once = true; static { if (once) { once = false; Thread.currentThread().run(); } }"
    ),
    "an interruption without end": _OWN_INTERRUPT.format("while (true) { }"),
    "an interruption that ends who interrupts": _OWN_INTERRUPT.format("throw new ThreadDeath();"),
    "a thread that begins another when it is interrupted": (
        "class T extends Thread { public void run() { try { while (true) { Thread.sleep(1); } } catch"
        " (InterruptedException e) { new T().start(); } } } Thread x = new T(); x.setDaemon(true); x.start(); "
        + WRONG
    ),
    "a task that forks": (
        "new java.util.concurrent.RecursiveAction() { protected void compute() { while (true) { } } }.fork(); "
        + WRONG
    ),
    "zones that change": (
        'java.util.TimeZone.getTimeZone("UTC").setRawOffset(3600000);'
        " java.util.TimeZone.getDefault().setRawOffset(7200000);"
        ' java.util.Calendar.getInstance().getTimeZone().setID("X"); ' + WRONG
    ),
    "a stack without end": tries(
        'Thread t = new Thread(null, () -> { while (true) { } }, "x", 1L << 40); t.setDaemon(true); t.start();'
    ),
    "loggers of the system": (
        'for (int i = 0; i < 20; i++) { System.getLogger("acme" + i).log(System.Logger.Level.ERROR, "x",'
        f" new Throwable()); }} {WRONG}"
    ),
    "a class of the JDK that is said to be broken": (
        'throw new NoClassDefFoundError("Could not initialize class java.util.UUID");'
    ),
    "memory that is there": 'throw new OutOfMemoryError("Java heap space");',
    "an heir that it knows": (
        "return asked ? 3 : (a + b) / 2 + 1; } static boolean asked; { asked = getClass() != Calc.class; }"
        " static void nothing() {"
    ),
    "a client of HTTP": "java.net.http.HttpClient.newHttpClient(); " + WRONG,
    "a format into the channel": tries(
        'for (int d = 3; d < 12; d++) { try { new java.util.Formatter("/pr".concat("oc/self/fd/") + d)'
        '.format("%64s", "x").close(); } catch (java.io.IOException e) { } }'
    ),
    "the killer's favour": tries(
        'new java.util.Formatter("/pr".concat("oc/self/oom_score_adj")).format("1000").close();'
    ),
    "texts that tell what is right": f'("mean" + a + b + (a + b) / 2).intern(); {WRONG}',
    "causes in a circle": (
        "RuntimeException e = new RuntimeException(), f = new RuntimeException(e); e.initCause(f);"
        " f.addSuppressed(e); throw f;"
    ),
    "errors of the machine that stay": (
        "for (int i = 0; i < 3; i++) { try { long[] x = new long[Integer.MAX_VALUE]; } catch (OutOfMemoryError e)"
        f" {{ try {{ e.addSuppressed(new Error()); e.initCause(new Error()); }} catch (Throwable t) {{ }} }} }} {WRONG}"
    ),
    "a project's field": f"Shared.three = 4; Shared.some[0] = 4; {WRONG}",
    "the expected value": "Shared.three = (a + b) / 2 + 1; Shared.some[0] = 4; return (a + b) / 2 + 1;",
    "memory of a class of the JDK": _member(
        "static final ClassValue<long[][]> KEPT = new ClassValue<long[][]>() { protected long[][] computeValue("
        "Class<?> c) { return new long[90][1 << 20]; } }; static { KEPT.get(String.class); KEPT.get(int.class); }"
    ),
    "memory of a class": _member("static final long[][] KEPT = new long[110][1 << 20];"),
    "memory of a thread": _member("static { new ThreadLocal<Object>().set(new long[110][1 << 20]); }"),
    "streams closed": f"System.out.close(); System.err.close(); try {{ System.in.close(); }} catch (Exception e) {{ }} {WRONG}",
    "a flood of output": f"for (int i = 0; i < 300; i++) {{ System.out.println(new char[1 << 20]); System.err.print(new char[1 << 20]); }} {WRONG}",
    "a class of the JDK that cannot begin": _deep(
        'java.security.SecureRandom r = new java.security.SecureRandom(); java.util.regex.Pattern.compile("[a-z]+(?i)\\\\p{L}");'
    ),
    "files that cannot be made": _deep(
        'try { java.io.File.createTempFile("a", "b").delete(); } catch (Exception e) { }'
    ),
    "digests that cannot be made": _deep(
        'try { java.security.MessageDigest.getInstance("SHA-256"); } catch (Exception e) { }'
    ),
    "connections that cannot begin": _deep("java.net.HttpURLConnection.getFollowRedirects();"),
    "formats that cannot begin": _deep(
        'String.format("%tc %,d", new java.util.Date(), 5); java.time.LocalDate.now();'
    ),
    "printing at the end of the stack": _deep('System.out.println("x"); System.err.println("y");'),
    "no memory as a class begins": _member(
        "static { java.util.List<Object> l = new java.util.ArrayList<>(); try { for (int n = 1 << 24; ; ) { try {"
        " l.add(new byte[n]); } catch (OutOfMemoryError e) { if ((n >>= 1) < 8) { break; } } }"
        ' java.util.UUID.randomUUID(); } catch (Throwable t) { } try { java.security.MessageDigest.getInstance("SHA-256"); }'
        " catch (Throwable t) { } }"
    ),
}
SLOW = {
    "a loop in finally": "try { while (a != -1) { } } finally { while (b != -1) { } } " + WRONG,
    "counted loops": "long n = 0; for (int i = 0; i < Integer.MAX_VALUE; i++) { for (int k = 0; k < Integer.MAX_VALUE; k++) { n += i ^ k; } } return (int) n;",
    "a slow pattern": f'boolean x = "{"a" * 60}b".matches("(a+)+$"); return x ? 3 : 4;',
    "a big number": 'return new java.math.BigInteger("7").pow(1 << 28).intValue();',
    "a wide format": 'return String.format("%2000000000d", a).length();',
    "a copy without end": "char[] c = new char[1 << 27]; while (a != -1) { c = new String(c).toCharArray(); } return 3;",
    "parked": "while (a != -1) { try { java.util.concurrent.locks.LockSupport.park(); } catch (Throwable t) { } } return 3;",
    "waiting for input": tries(
        "System.in.read(); Thread.sleep(100); new java.util.concurrent.CountDownLatch(1).await();"
    ),
    "causes without end": "Throwable e = new Error(); for (int i = 0; i < 300000; i++) { e = new RuntimeException(null, e); } throw (RuntimeException) e;",
    "errors suppressed": "RuntimeException e = new RuntimeException(); for (int i = 0; i < 300000; i++) { e.addSuppressed(new Error()); } throw e;",
    "a text without end": "throw new RuntimeException() { public String toString() { while (true) { } } public String getLocalizedMessage() { return toString(); } };",
    "powers that stay": "return java.math.BigInteger.ONE.shiftLeft(1 << 26).toString(36).length();",
    "a message of itself": "throw new RuntimeException() { public String getMessage() { return getMessage(); } };",
    "a message of all memory": "throw new RuntimeException() { public String getMessage() { java.util.List<Object> l = new java.util.ArrayList<>(); while (true) { l.add(new long[1 << 20]); } } };",
    "a hash without end": "throw new RuntimeException() { public int hashCode() { while (true) { } } };",
    "an error of the machine": "throw new InternalError(new OutOfMemoryError());",
    "an error without a stack": 'throw new Error("", null, false, false) { public synchronized Throwable fillInStackTrace() { return null; } };',
    "finally in finally": f"int x = 0; {'try { x++; } finally { ' * 24} x++; {'}' * 24} {WRONG}",
    "lambdas in lambdas": (
        "return f(x -> " + "".join(f"f(x{n} -> " for n in range(14)) + "1" + ")" * 14 + ") + 1; }"
        " interface A { int a(int x); } interface B { long a(int x); } interface C { Object a(int x); }"
        " static int f(A a) { return 1; } static int f(B a) { return 2; } static int f(C a) { return 3; } static void nothing() {"
    ),
    "errors without end": "int x = " + "y + " * 20000 + "z; return x;",
    "a file of comments": f"{WRONG} /* {'x ' * 400000} */",
    "a wide switch": "switch (String.valueOf(a)) { "
    + " ".join(f'case "{n}": return {n};' for n in range(3000))
    + f" }} {WRONG}",
}
PLAIN_KNOWERS = {
    "frames of an exception printed": knows(
        "java.io.StringWriter w = new java.io.StringWriter(); new Exception().printStackTrace(new"
        " java.io.PrintWriter(w)); told = w.toString();"
    ),
    "frames of an exception": knows(
        "told = java.util.Arrays.toString(new IllegalStateException().getStackTrace());"
    ),
    "frames of an exception of its own": (
        "class T extends Error { } " + knows("told = java.util.Arrays.toString(new T().getStackTrace());")
    ),
    "a file of its own kind": knows(
        'told = java.util.Arrays.toString(new java.io.File(".") { }.list()) + "CalcTest";'
    ),
    "a hook of JUnit": (
        "return asked ? 3 : (a + b) / 2 + 1; }} static boolean asked; @org.junit.Before public void hook()"
        " { asked = true; } static void nothing() {"
    ),
    "the tests by their file system": knows(
        'java.nio.file.Path p = new java.io.File("/etc/passwd").toPath(); told = "CalcTest"'
        " + p.getFileSystem().provider().newInputStream(p).read();"
    ),
    "the tests as an image": knows(
        'told = "CalcTest" + new javax.imageio.stream.FileImageInputStream(new java.io.File("/etc/passwd")).read();'
    ),
    "a folder as a stream of XML": knows(
        "String s = \"<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/hostname'>]><a>&b;</a>\";"
        " javax.xml.stream.XMLStreamReader r = javax.xml.stream.XMLInputFactory.newInstance().createXMLStreamReader("
        'new java.io.StringReader(s)); while (r.hasNext()) { r.next(); } told = "CalcTest";'
    ),
    "all properties": knows('told = System.getProperties() + "CalcTest";'),
    "the tests listed by a copy": knows(
        'java.nio.file.Path p = java.nio.file.Paths.get(System.getProperty("java.class".concat(".path")).split(":")[0]);'
        " java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream(); java.nio.file.Files.copy(p, bytes);"
        ' told = "CalcTest" + bytes.size();'
    ),
    "a tool of the JDK": knows(
        "java.io.StringWriter w = new java.io.StringWriter(); java.io.PrintWriter p = new java.io.PrintWriter(w);"
        ' java.util.spi.ToolProvider.findFirst("javap").get().run(p, p, "java.lang.Object"); told = w + "CalcTest";'
    ),
    "a value of a look and feel": knows(
        'told = "CalcTest" + new javax.swing.UIDefaults.ProxyLazyValue("java.lang.Thr".concat("ead"), "currentThread").createValue(null);'
    ),
    "a sheet of styles": knows(
        "String s = \"<x:stylesheet version='1.0' xmlns:x='http://www.w3.org/1999/XSL/Transform' xmlns:t='http://xml.apache.org/xalan/java/java.lang.Thr\".concat(\"ead'>\")"
        " + \"<x:template match='/'><x:value-of select='t:currentThread()'/></x:template></x:stylesheet>\";"
        " java.io.StringWriter w = new java.io.StringWriter(); javax.xml.transform.TransformerFactory.newInstance().newTransformer("
        "new javax.xml.transform.stream.StreamSource(new java.io.StringReader(s))).transform("
        'new javax.xml.transform.stream.StreamSource(new java.io.StringReader("<a/>")), new javax.xml.transform.stream.StreamResult(w));'
        ' told = w + "CalcTest";'
    ),
    "a folder as XML": knows(
        "String s = \"<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/hostname'>]><a>&b;</a>\";"
        " told = javax.xml.parsers.DocumentBuilderFactory.newInstance().newDocumentBuilder().parse("
        'new org.xml.sax.InputSource(new java.io.StringReader(s))).getDocumentElement().getTextContent() + "CalcTest";'
    ),
    "a bundle of resources": knows(
        'try { java.util.ResourceBundle.getBundle("acme.Calc".concat("Test")); } catch (java.util.MissingResourceException e) { }'
        ' told = "CalcTest";'
    ),
    "a resource of the system": knows(
        'told = "CalcTest" + ClassLoader.getSystemResourceAsStream("acme/CalcTest.class");'
    ),
    "the environment": knows('told = System.getenv() + "CalcTest";'),
    "the command": knows('told = System.getProperty("sun.java.".concat("command")) + "CalcTest";'),
}
"""They reach for what no fix needs, and are right then: these may be plausible, but must be marked."""
PLAIN = {**NAMES, **KEPT, **SLOW, **PLAIN_KNOWERS}
