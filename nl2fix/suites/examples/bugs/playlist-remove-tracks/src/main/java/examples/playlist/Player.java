package examples.playlist;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/** Plays a list and remembers what it could not play. */
public class Player {

    private final Playlist playlist;
    private final Set<Integer> broken = new HashSet<>();

    public Player(Playlist playlist) {
        this.playlist = playlist;
    }

    public void failed(int track) {
        broken.add(track);
    }

    /** Takes everything out of the list that could not be played. */
    public int cleanUp() {
        int removed = playlist.removeTracks(Collections.unmodifiableSet(broken));
        broken.clear();
        return removed;
    }
}
