package nl2fix.jvm;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;

/**
 * The compiler's view of files: sources and results in memory, the class path from a {@link ClassPath},
 * the JDK's own classes from the standard file manager, which keeps them open between compilations.
 * What annotation processors write stays in memory, too; they themselves are loaded once.
 */
final class MemoryFiles extends ForwardingJavaFileManager<StandardJavaFileManager> {
    private final Map<JavaFileManager.Location, Map<String, List<JavaFileObject>>> listings = new IdentityHashMap<>();
    private final Map<List<File>, ClassLoader> processors = new HashMap<>();
    private ClassPath path;
    private List<String> hidden;
    private Map<String, byte[]> outputs;
    private final Map<String, String> origins = new HashMap<>();

    MemoryFiles(StandardJavaFileManager standard) {
        super(standard);
        try {
            standard.setLocation(StandardLocation.CLASS_PATH, Collections.<File>emptyList());
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    void begin(ClassPath classPath, List<String> hiddenNames, Map<String, byte[]> results) {
        path = classPath;
        hidden = hiddenNames;
        outputs = results;
        origins.clear();
    }

    /** The source that a class was made of; empty where javac names none. */
    String originOf(String className) {
        return origins.get(className);
    }

    @Override
    public Iterable<JavaFileObject> list(
            JavaFileManager.Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse)
            throws IOException {
        if (location != StandardLocation.CLASS_PATH) {
            return platform(location, packageName, kinds, recurse);
        }
        List<JavaFileObject> found = new ArrayList<>();
        if (kinds.contains(JavaFileObject.Kind.CLASS)) {
            for (CompiledClass type : path.compiled(packageName)) {
                if (!CandidateLoader.Edit.belongs(type.binaryName, hidden)) {
                    found.add(type);
                }
            }
        }
        return found;
    }

    /** The JDK's packages do not change: their listings are kept, where files outlive a compilation. */
    private Iterable<JavaFileObject> platform(
            JavaFileManager.Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse)
            throws IOException {
        if (JvmState.JAVA < 9) {
            return super.list(location, packageName, kinds, recurse);
        }
        Map<String, List<JavaFileObject>> known = listings.get(location);
        if (known == null) {
            known = new HashMap<>();
            listings.put(location, known);
        }
        String key = packageName + kinds + recurse;
        List<JavaFileObject> found = known.get(key);
        if (found == null) {
            found = new ArrayList<>();
            for (JavaFileObject file : super.list(location, packageName, kinds, recurse)) {
                found.add(file);
            }
            known.put(key, found);
        }
        return found;
    }

    @Override
    public String inferBinaryName(JavaFileManager.Location location, JavaFileObject file) {
        return file instanceof CompiledClass
                ? ((CompiledClass) file).binaryName : super.inferBinaryName(location, file);
    }

    @Override
    public boolean isSameFile(FileObject one, FileObject other) {
        return one == other || one.toUri().equals(other.toUri());
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
            JavaFileManager.Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
        if (kind != JavaFileObject.Kind.CLASS) {
            return new Written(name, kind);
        }
        origins.put(name, sibling == null ? "" : sibling.getName());
        return new Output(name, outputs);
    }

    @Override
    public FileObject getFileForOutput(
            JavaFileManager.Location location, String packageName, String relativeName, FileObject sibling) {
        return new Written(relativeName, JavaFileObject.Kind.OTHER);
    }

    /** Loaded once for each path, and kept when a compilation ends that closes what it used. */
    @Override
    public ClassLoader getClassLoader(JavaFileManager.Location location) {
        if (location != StandardLocation.ANNOTATION_PROCESSOR_PATH) {
            return super.getClassLoader(location);
        }
        List<File> jars = new ArrayList<>();
        for (File jar : fileManager.getLocation(location)) {
            jars.add(jar);
        }
        ClassLoader loader = processors.get(jars);
        if (loader == null) {
            loader = new ClassLoader(super.getClassLoader(location)) { };
            processors.put(jars, loader);
        }
        return loader;
    }

    /** A source file. */
    static final class Source extends SimpleJavaFileObject {
        private final String name;
        private final String text;

        Source(String name, String text) {
            super(uri(name), JavaFileObject.Kind.SOURCE);
            this.name = name;
            this.text = text;
        }

        private static URI uri(String name) {
            return new File("/", name).toURI();
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** What an annotation processor writes, a source or a resource, for the compilation it runs in. */
    private static final class Written extends SimpleJavaFileObject {
        private final ByteArrayOutputStream content = new ByteArrayOutputStream();

        Written(String name, JavaFileObject.Kind kind) {
            super(URI.create("memory:///" + name.replace('.', '/') + kind.extension), kind);
        }

        @Override
        public OutputStream openOutputStream() {
            content.reset();
            return content;
        }

        @Override
        public InputStream openInputStream() {
            return new ByteArrayInputStream(content.toByteArray());
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return new String(content.toByteArray(), StandardCharsets.UTF_8);
        }
    }

    /** A compiled class on its way into a map. */
    private static final class Output extends SimpleJavaFileObject {
        private final String name;
        private final Map<String, byte[]> into;

        Output(String name, Map<String, byte[]> into) {
            super(URI.create("memory:///" + name.replace('.', '/') + ".class"), JavaFileObject.Kind.CLASS);
            this.name = name;
            this.into = into;
        }

        @Override
        public OutputStream openOutputStream() {
            return new ByteArrayOutputStream(4096) {
                @Override
                public void close() {
                    into.put(name, toByteArray());
                }
            };
        }
    }
}
