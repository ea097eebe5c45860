package examples.playlist;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Tracks in the order in which they are played, every track at most once. */
public class Playlist {

    private final List<Integer> tracks = new ArrayList<>();

    public Playlist(int... tracks) {
        for (int track : tracks) {
            add(track);
        }
    }

    /** Appends a track unless it is in the list. */
    public final boolean add(int track) {
        return !tracks.contains(track) && tracks.add(track);
    }

    /** Takes out the track at a position, counted from 0. */
    public int removeAt(int position) {
        return tracks.remove(position);
    }

    /** Takes out the given tracks; returns how many of them were in the list. */
    public int removeTracks(Collection<Integer> unwanted) {
        int before = tracks.size();
        for (int track : unwanted) {
            tracks.remove(track);
        }
        return before - tracks.size();
    }

    public List<Integer> tracks() {
        return new ArrayList<>(tracks);
    }
}
