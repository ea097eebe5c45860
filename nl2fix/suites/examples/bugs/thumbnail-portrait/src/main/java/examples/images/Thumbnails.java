package examples.images;

import java.util.ArrayList;
import java.util.List;

/** Sizes of small versions of pictures. */
public final class Thumbnails {

    private Thumbnails() {
    }

    /** The largest size of the picture's shape that fits the box; never larger than the picture. */
    public static Size fit(Size picture, Size box) {
        if (picture.width() <= box.width() && picture.height() <= box.height()) {
            return picture;
        }
        long byWidth = (long) picture.width() * box.height();
        long byHeight = (long) picture.height() * box.width();
        if (byWidth >= byHeight) {
            return new Size(box.width(), scale(picture.height(), box.width(), picture.width()));
        }
        return new Size(box.height(), scale(picture.width(), box.height(), picture.height()));
    }

    private static int scale(int length, int numerator, int denominator) {
        return (int) Math.max(1, Math.round((double) length * numerator / denominator));
    }

    public static List<Size> gallery(List<Size> pictures, Size box) {
        List<Size> sizes = new ArrayList<>();
        pictures.forEach(picture -> sizes.add(fit(picture, box)));
        return sizes;
    }
}
