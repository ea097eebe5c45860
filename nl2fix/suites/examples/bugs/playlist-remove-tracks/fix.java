    public int removeTracks(Collection<Integer> unwanted) {
        int before = tracks.size();
        for (Integer track : unwanted) {
            tracks.remove(track);
        }
        return before - tracks.size();
    }
