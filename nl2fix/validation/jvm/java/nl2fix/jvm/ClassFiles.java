package nl2fix.jvm;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * An edit's classes as files in the (throw-away) class folder, for tests that give that folder to class
 * loaders of their own or read class files from it.
 */
final class ClassFiles {
    private static final Set<File> WRITTEN = new HashSet<>();

    private ClassFiles() {
    }

    /** Puts the edit's class files in place of those of the unedited file and of the edit before. */
    static void replace(CandidateLoader.Edit edit) throws IOException {
        for (File file : WRITTEN) {
            file.delete();
        }
        WRITTEN.clear();
        if (edit.folder.isEmpty()) {
            return;
        }
        removeOriginals(edit);
        for (Map.Entry<String, byte[]> item : edit.classes.entrySet()) {
            File file = file(edit.folder, item.getKey());
            WRITTEN.add(file);
            file.getParentFile().mkdirs();
            try (FileOutputStream out = new FileOutputStream(file)) {
                out.write(item.getValue());
            }
        }
    }

    private static void removeOriginals(CandidateLoader.Edit edit) {
        for (String name : edit.replaced) {
            if (!edit.classes.containsKey(name)) {
                file(edit.folder, name).delete();
            }
        }
    }

    private static File file(String folder, String name) {
        return new File(folder, name.replace('.', '/') + ".class");
    }
}
