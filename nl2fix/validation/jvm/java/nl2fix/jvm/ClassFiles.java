package nl2fix.jvm;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An edit's classes as files in the (throw-away) class folder, for tests that give that folder to class
 * loaders of their own or read class files from it.
 */
final class ClassFiles {
    /** Files that the edit before has put there, with what they held: null where there was none that stays. */
    private static final Map<File, byte[]> WRITTEN = new HashMap<>();

    /** What the unedited file's classes held, until another file is edited. */
    private static final Map<File, byte[]> UNEDITED = new HashMap<>();
    private static List<String> replaced = Collections.emptyList();

    private ClassFiles() {
    }

    /** Puts the edit's class files there; what the edit before wrote over comes back, the unedited file's classes where this
     * one is of another file. */
    static void replace(CandidateLoader.Edit edit) throws IOException {
        for (Map.Entry<File, byte[]> item : WRITTEN.entrySet()) {
            restore(item.getKey(), item.getValue());
        }
        WRITTEN.clear();
        if (!edit.replaced.equals(replaced)) {
            for (Map.Entry<File, byte[]> item : UNEDITED.entrySet()) {
                restore(item.getKey(), item.getValue());
            }
            UNEDITED.clear();
            replaced = edit.replaced;
        }
        if (edit.folder.isEmpty()) {
            return;
        }
        removeOriginals(edit);
        for (Map.Entry<String, byte[]> item : edit.classes.entrySet()) {
            File file = file(edit.folder, item.getKey());
            boolean stays = file.isFile() && !CandidateLoader.Edit.belongs(item.getKey(), edit.replaced);
            if (!stays) {
                keep(file);
            }
            WRITTEN.put(file, stays ? Files.readAllBytes(file.toPath()) : null);
            file.getParentFile().mkdirs();
            Files.write(file.toPath(), item.getValue());
        }
    }

    private static void restore(File file, byte[] content) throws IOException {
        if (content == null) {
            file.delete();
        } else {
            Files.write(file.toPath(), content);
        }
    }

    private static void removeOriginals(CandidateLoader.Edit edit) throws IOException {
        for (String name : edit.replaced) {
            if (!edit.classes.containsKey(name)) {
                File file = file(edit.folder, name);
                keep(file);
                file.delete();
            }
        }
    }

    private static void keep(File file) throws IOException {
        if (file.isFile()) {
            UNEDITED.put(file, Files.readAllBytes(file.toPath()));
        }
    }

    private static File file(String folder, String name) {
        return new File(folder, name.replace('.', '/') + ".class");
    }
}
