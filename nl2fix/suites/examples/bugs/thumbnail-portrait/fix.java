    public static Size fit(Size picture, Size box) {
        if (picture.width() <= box.width() && picture.height() <= box.height()) {
            return picture;
        }
        long byWidth = (long) picture.width() * box.height();
        long byHeight = (long) picture.height() * box.width();
        if (byWidth >= byHeight) {
            return new Size(box.width(), scale(picture.height(), box.width(), picture.width()));
        }
        return new Size(scale(picture.width(), box.height(), picture.height()), box.height());
    }
