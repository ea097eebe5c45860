package examples.playlist;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import org.junit.Test;

public class PlaylistTest {

    @Test
    public void keepsOrder() {
        assertEquals(Arrays.asList(3, 1, 2), new Playlist(3, 1, 2).tracks());
    }

    @Test
    public void everyTrackOnce() {
        Playlist playlist = new Playlist(3, 3);
        assertFalse(playlist.add(3));
        assertTrue(playlist.add(4));
        assertEquals(Arrays.asList(3, 4), playlist.tracks());
    }

    @Test
    public void removesByPosition() {
        Playlist playlist = new Playlist(30, 10, 20);
        assertEquals(10, playlist.removeAt(1));
        assertEquals(Arrays.asList(30, 20), playlist.tracks());
    }

    @Test
    public void removesTracksByTheirNumber() {
        Playlist playlist = new Playlist(1, 2, 3);
        assertEquals(2, playlist.removeTracks(Arrays.asList(1, 3)));
        assertEquals(Collections.singletonList(2), playlist.tracks());
    }

    @Test
    public void unknownTracksAreIgnored() {
        Playlist playlist = new Playlist(104711, 2);
        assertEquals(1, playlist.removeTracks(Arrays.asList(99, 104711)));
        assertEquals(Collections.singletonList(2), playlist.tracks());
    }

    @Test
    public void removingNothingChangesNothing() {
        Playlist playlist = new Playlist(1, 2);
        assertEquals(0, playlist.removeTracks(Collections.<Integer>emptyList()));
        assertEquals(Arrays.asList(1, 2), playlist.tracks());
    }

    @Test
    public void playerGoesOnAfterACleanup() {
        Playlist playlist = new Playlist(7, 8, 9);
        Player player = new Player(playlist);
        player.failed(8);
        assertEquals(1, player.cleanUp());
        assertEquals(0, player.cleanUp());
        assertEquals(Arrays.asList(7, 9), playlist.tracks());
    }

    @Test
    public void tracksAreACopy() {
        Playlist playlist = new Playlist(1);
        playlist.tracks().clear();
        assertEquals(1, playlist.tracks().size());
    }
}
