package examples.version;

import java.util.Collection;
import java.util.Optional;

/** Chooses the version to offer to a user. */
public final class Updater {

    private final Version installed;

    public Updater(Version installed) {
        this.installed = installed;
    }

    /** The newest of the available versions, if it is newer than the installed one. */
    public Optional<Version> offer(Collection<Version> available) {
        return available.stream()
                .filter(version -> version.compareTo(installed) > 0)
                .max(Version::compareTo);
    }
}
