package nl2fix.jvm;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;

/** A class of the class path as the compiler reads it. */
final class CompiledClass extends SimpleJavaFileObject {
    static final String SCHEME = "path";
    final String binaryName;
    private final Entry entry;
    private final String resource;

    CompiledClass(String binaryName, Entry entry, String resource) {
        super(URI.create(SCHEME + ":///" + binaryName.replace('.', '/') + ".class"), JavaFileObject.Kind.CLASS);
        this.binaryName = binaryName;
        this.entry = entry;
        this.resource = resource;
    }

    @Override
    public InputStream openInputStream() throws IOException {
        return new ByteArrayInputStream(entry.read(resource));
    }
}
